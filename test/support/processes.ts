import { execFileSync } from 'node:child_process';

/** All descendants of a process, as the system lists them. */
export function descendantsOf(process: number | undefined): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number | undefined): number[] =>
    rows.filter(([, ppid]) => ppid === parent).flatMap(([pid = 0]) => [pid, ...below(pid)]);
  return below(process);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
