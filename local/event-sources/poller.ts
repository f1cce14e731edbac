import { setTimeout as sleep } from 'node:timers/promises';

/** Something that reads an event source until it is stopped. */
export interface Poller {
  stop(): Promise<void>;
}

const errorPauseMs = 500;

/** Calls `poll` over and over. It is `poll` that waits when there is nothing; an error is told and tried again after a pause. */
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

/** Waits, but not longer than until the poller is stopped. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
