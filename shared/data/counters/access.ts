import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const countersAccess = {
  readSales: { CNT: ['Query'] },
  readPeriods: { CNT: ['Query'] },
  readSettlement: { CNT: ['Query'] },
  countScans: { CNT: ['Query'] },
  readAttended: { CNT: ['Query'] },
  locateOffset: { CNT: ['Query'] },
  addToCounters: { CNT: ['UpdateItem'] },
} satisfies FunctionAccess;
