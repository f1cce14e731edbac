import type { Service } from '../support/service.ts';

/** Moves the clock of the service to the start of a minute, so the requests of a test count in one window. */
export function startMinute({ cloud: { clock } }: Service): void {
  clock.advance(60 - ((clock.now() / 1000) % 60));
}
