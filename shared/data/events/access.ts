import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { positionsAccess } from '../positions/access.ts';
import { pricesAccess } from '../prices/access.ts';
import { tableAccess } from '../table/access.ts';

/** Only `soldOut` changes, so no view is removed. */
const updateSoldOut = [
  pricesAccess.readPriceList,
  pricesAccess.readStock,
  { EVC: ['PutItem'], EVT: ['GetItem', 'PutItem'], EVV: ['PutItem'] },
] satisfies Access;

/** What the functions of this folder do to the table. */
export const eventsAccess = {
  readEvent: { EVT: ['GetItem'] },
  readEvents: { EVT: ['BatchGetItem'] },
  listEvents: [positionsAccess.locatePosition, { EVT: ['GetItem', 'Query'], EVV: ['Query'] }],
  updateSoldOut,
  scheduleSoldOutUpdate: tableAccess.putHint,
  updateOverdueSoldOut: [updateSoldOut, tableAccess.overdueHints, tableAccess.removeHint],
} satisfies FunctionAccess;
