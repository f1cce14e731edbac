import type { FunctionAccess } from '../../domain/table-access.ts';

const createSeatMap = { MCF: ['GetItem', 'PutItem'], SMP: ['PutItem', 'Query'] } as const;

/** What the functions of this folder do to the table. */
export const seatMapsAccess = {
  readSeatMaps: { MCF: ['Query'] },
  readMapVersion: { SMP: ['Query'] },
  createSeatMap,
  updateSeatMap: [createSeatMap, { MCF: ['Query'], SEM: ['Query', 'UpdateItem'] }],
} satisfies FunctionAccess;
