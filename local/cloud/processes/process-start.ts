import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** When a process started, as the system tells it. Returns `undefined` if there is no such process. */
export function processStart(pid: number): string | undefined {
  return existsSync('/proc/self/stat') ? startInProc(pid) : startInPs(pid);
}

/** The start time is the 22nd field, in ticks since the boot. The second field, the name, may contain spaces and brackets. */
function startInProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A process that has ended and waits for its parent holds nothing.
    return state === 'Z' ? undefined : `${bootId()}-${fields[18]}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function startInPs(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
  return stdout?.trim().replaceAll(/\s+/g, ' ') || undefined;
}
