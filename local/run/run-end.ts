import { spawn } from 'node:child_process';

let isExplained = false;

/** Says why the run ends. */
export function explainEnd(reason: string, print: (text: string) => void = console.error): void {
  isExplained = true;
  print(reason);
}

const killed = `Gateline (process ${process.pid}) was killed, or Node has crashed, so it could not say why it ended. If the machine was short of memory, the system's log says so (dmesg).`;

/** Waits for the end of its input. This process writes a line before it ends, unless it is killed. */
const watcherScript = 'read -r line; [ -n "$line" ] || echo "$0" >&2';

/**
 * A run that ends without an explanation says at least that. What is killed cannot say anything, so a shell outlives it: the
 * kernel closes the pipe to it however this process ends.
 */
export function watchEnd(): void {
  const watcher = spawn('/bin/sh', ['-c', watcherScript, killed], {
    stdio: ['pipe', 'ignore', 'inherit'],
    // Ctrl-C must not reach it.
    detached: true,
  });
  watcher.unref();
  for (const part of [watcher, watcher.stdin]) part.on('error', () => {});
  // Node prints the error itself.
  process.once('uncaughtExceptionMonitor', () => {
    isExplained = true;
  });
  process.once('exit', (status) => {
    watcher.stdin.write('ended\n');
    if (!isExplained) console.error(`Gateline has ended with exit status ${status}, and no part of it has said why.`);
  });
}
