import type { Cloud } from '../cloud/cloud.ts';
import { endWithParent } from './exit-with-parent.ts';

/** Ends at most once, whichever of several reasons comes first; a second Ctrl-C does not wait. */
export function endOnSignals(cloud: Cloud): void {
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
  endWithParent(end);
}
