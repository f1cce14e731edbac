import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { seatMapsAccess } from '../seat-maps/access.ts';
import { tableAccess } from '../table/access.ts';

const deleteSeatBlock = [
  { SBK: ['GetItem', 'DeleteItem'], SEA: ['UpdateItem'] },
  tableAccess.removeHint,
] satisfies Access;

const readPicture = [seatMapsAccess.readMapVersion, { SEP: ['Query'] }] satisfies Access;

/** What the functions of this folder do to the table. */
export const seatsAccess = {
  readSeenRows: { SEA: ['GetItem'] },
  readTakenSection: { SEA: ['Query'] },
  drawSection: [seatMapsAccess.readMapVersion, { SEA: ['Query'], SEP: ['PutItem'] }],
  readPicture,
  readShownSeats: readPicture,
  takeSeats: { SEA: ['UpdateItem'] },
  returnSeats: { SEA: ['UpdateItem'] },
  createSeatBlock: [{ SEA: ['GetItem', 'UpdateItem'], SBK: ['PutItem'] }, tableAccess.putHint],
  listSeatBlocks: { SBK: ['Query'] },
  everySeatBlock: { SBK: ['Query'] },
  deleteSeatBlock,
  releaseOverdueBlocks: [deleteSeatBlock, tableAccess.overdueHints],
} satisfies FunctionAccess;
