import type { FunctionAccess } from '../../domain/table-access.ts';

const saveSeatMap = { MCF: ['GetItem', 'PutItem'], SMP: ['PutItem'] } as const;

/** What the functions of this folder do to the table. */
export const seatMapsAccess = {
  readSeatMaps: { MCF: ['Query'] },
  readMapVersion: { SMP: ['Query'] },
  createSeatMap: saveSeatMap,
  updateSeatMap: saveSeatMap,
} satisfies FunctionAccess;
