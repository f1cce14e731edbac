import type { Cloud } from '../cloud/cloud.ts';

/** Stops the cloud once, on the first signal or when the parent process ends. A second signal exits at once. */
export function exitOnSignals(cloud: Cloud): void {
  let ending = false;
  const end = (): void => {
    if (ending) process.exit(1);
    ending = true;
    cloud.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  exitWithParent(end);
}

const pollMs = 500;

/**
 * `npm start` runs this process as a child of npm. When npm is killed with SIGKILL, this process gets no signal, only another
 * parent; it then exits too. Started in any other way it may outlive its parent, as a program under nohup should.
 */
function exitWithParent(end: () => void): void {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, pollMs).unref();
}
