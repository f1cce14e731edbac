import { setTimeout as sleep } from 'node:timers/promises';

/** Reads an event source until it is stopped. */
export interface Poller {
  stop(): Promise<void>;
}

const errorPauseMs = 500;

/** Calls `poll` repeatedly. `poll` itself waits when there is nothing to read. An error is logged, and polling continues after a pause. */
export function startPolling(what: string, poll: (signal: AbortSignal) => Promise<void>): Poller {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = (async () => {
    while (!signal.aborted) {
      try {
        await poll(signal);
      } catch (error) {
        if (signal.aborted) return;
        process.emitWarning(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        await pause(errorPauseMs, signal);
      }
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

/** Waits for a time, or until the poller is stopped. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
