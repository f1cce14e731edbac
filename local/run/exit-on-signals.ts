import { inspect } from 'node:util';
import type { Cloud } from '../cloud/cloud.ts';
import { explainEnd } from './run-end.ts';

/**
 * Ctrl-C under npm sends SIGINT twice: the terminal signals every process of its group, and npm passes the signal on. Both
 * are one request to stop. Only a signal after this time is a second one.
 */
const oneRequestMs = 1_000;

/** The shell's exit status of a program that Ctrl-C has ended. */
const interrupted = 130;

/**
 * Stops the cloud on the first signal or when the parent process ends. A second Ctrl-C exits without waiting. A signal during
 * the start exits at once: child processes end with this process, and the next start continues an unfinished fill.
 */
export function exitOnSignals(starting: Promise<Cloud>): void {
  let cloud: Cloud | undefined;
  let stoppingSince: number | undefined;
  const end = (reason: string): void => {
    if (stoppingSince === undefined) explainEnd(`Stopping: ${reason}.`, 'stdout');
    if (cloud === undefined) process.exit(interrupted);
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > oneRequestMs) process.exit(interrupted);
      return;
    }
    stoppingSince = performance.now();
    cloud.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        explainEnd(inspect(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => end(`${signal} was received`));
  exitWithParent(() => end('npm, which started this process, has ended'));
  void starting.then(
    (started) => {
      cloud = started;
    },
    // The caller reports a start that failed.
    () => {},
  );
}

const pollMs = 500;

/**
 * `npm start` runs this process as a child of npm. When npm is killed with SIGKILL, this process gets no signal, only another
 * parent; it then exits too. Started in any other way it may outlive its parent, as a program under nohup should.
 */
function exitWithParent(end: () => void): void {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  const polling = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(polling);
    end();
  }, pollMs).unref();
}
