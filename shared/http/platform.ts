import { openTable, type Table } from '../data/table.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { tableName } from '../platform/env.ts';

/** What the pipeline stands on. Opened at the first request, not at import, and kept for the life of the instance. */
export interface Platform {
  readonly clock: Clock;
  table(): Table;
}

let opened: Table | undefined;

export const livePlatform: Platform = {
  clock: systemClock,
  table() {
    opened ??= openTable(tableName());
    return opened;
  },
};
