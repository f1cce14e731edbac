/** The files that share services. The sequencer runs them first. */
const sharing = /\/test\/(contract|webhooks|local\/samples)/;

const ends: (() => Promise<void>)[] = [];

/** `end` is called before a file of this worker that shares no services. */
export function whenSharingEnds(end: () => Promise<void>): void {
  ends.push(end);
}

/** Called before each test file. A service that waits polls its queues and streams, and sweeps every minute. */
export async function endUnsharedServices(testPath: string): Promise<void> {
  if (sharing.test(testPath)) return;
  for (const end of ends) await end();
}
