import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { inspect } from 'node:util';

let isExplained = false;

/** Says why the run ends. */
export function explainEnd(reason: string, to: 'stdout' | 'stderr' = 'stderr'): void {
  isExplained = true;
  writeNow(`${reason}\n`, to);
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
  // Also of a rejected promise. If a package listens too, Node prints nothing.
  process.on('uncaughtException', (error) => {
    explainEnd(inspect(error));
    process.exit(1);
  });
  process.once('exit', (status) => {
    watcher.stdin.write('ended\n');
    if (!isExplained) explainEnd(`Gateline has ended with exit status ${status}, and no part of it has said why.`);
  });
}

const waiting = new Int32Array(new SharedArrayBuffer(4));
const pauseMs = 100;
const maxPauses = 50;

/**
 * Node queues what a full pipe does not take, and drops the queue at the end of the process. This waits until the reader goes on,
 * but not for one that never does.
 */
function writeNow(text: string, to: 'stdout' | 'stderr'): void {
  let left = Buffer.from(text);
  for (let pauses = 0; left.length > 0 && pauses < maxPauses; ) {
    try {
      left = left.subarray(writeSync(process[to].fd, left));
    } catch (error) {
      // A closed terminal, or a file on a full disk.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
      pauses += 1;
      Atomics.wait(waiting, 0, 0, pauseMs);
    }
  }
}
