import { openTable, type Table } from '../data/table/table.ts';
import type { Operation } from '../operations/operation.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { tableName } from '../platform/env.ts';

/** The dependencies of the pipeline. The table is opened at the first request, not at import, and kept for the life of the instance. */
export interface Platform {
  readonly clock: Clock;
  table(): Table;
}

let opened: Table | undefined;

/** A streamed response may take minutes instead of seconds, and reads a megabyte at a time. */
const streaming = { requestHandler: { connectionTimeout: 1_000, requestTimeout: 15_000, throwOnRequestTimeout: true } };

export function livePlatform({ output }: Operation): Platform {
  return {
    clock: systemClock,
    table() {
      opened ??= openTable(tableName(), output.streamed ? streaming : {});
      return opened;
    },
  };
}
