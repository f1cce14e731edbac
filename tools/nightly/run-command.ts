import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';

export interface CommandRun {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The file that gets its output. */
  readonly log: string;
  readonly limitMinutes: number;
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  readonly status: number | null;
  /** Why it did not end by itself. */
  readonly killed: string | undefined;
  readonly output: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The shell counts the CPU time of all processes that it waited for; Node cannot. */
const timed = '"$@"; status=$?; times >"$NIGHTLY_TIMES"; exit $status';

export async function runCommand({ command, env, log, limitMinutes, signal }: CommandRun): Promise<CommandEnd> {
  const began = performance.now();
  const times = `${log}.times`;
  const output = openSync(log, 'w');
  // A group of its own, so that all its processes end with it.
  const child = spawn('sh', ['-c', timed, 'sh', ...command], {
    detached: true,
    env: { ...process.env, ...env, NIGHTLY_TIMES: times },
    stdio: ['ignore', output, output],
  });
  let killed: string | undefined;
  const kill = (why: string) => {
    killed ??= why;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const limit = setTimeout(() => kill(`It did not end within ${limitMinutes} minutes.`), limitMinutes * 60_000);
  const stop = () => kill('The run was stopped.');
  signal.addEventListener('abort', stop, { once: true });
  const [status, name]: [number | null, string | null] = await once(child, 'exit').then(([code, by]) => [code, by]);
  clearTimeout(limit);
  signal.removeEventListener('abort', stop);
  closeSync(output);
  return {
    status,
    killed: killed ?? (name === null ? undefined : `Its process was killed (${name}).`),
    output: readFileSync(log, 'utf8'),
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: cpuOf(times),
  };
}

/** The second line of `times` has the user and the system time of the children: `1m2.34s 0m5.67s`. */
function cpuOf(file: string): number {
  if (!existsSync(file)) return 0;
  const [, children = ''] = readFileSync(file, 'utf8').split('\n');
  rmSync(file);
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
}
