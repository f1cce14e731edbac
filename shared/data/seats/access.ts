import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const seatsAccess = {
  readTakenRows: { SEA: ['GetItem'] },
  readTakenSection: { SEA: ['Query'] },
  takeSeats: { SEA: ['UpdateItem'] },
  returnSeats: { SEA: ['UpdateItem'] },
} satisfies FunctionAccess;
