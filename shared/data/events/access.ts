import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { positionsAccess } from '../positions/access.ts';
import { pricesAccess } from '../prices/access.ts';
import { seatMapsAccess } from '../seat-maps/access.ts';
import { seatsAccess } from '../seats/access.ts';
import { tableAccess } from '../table/access.ts';

/** Only `soldOut` changes, so the search words stay as they are. */
const updateSoldOut = [
  pricesAccess.readPricedEvent,
  pricesAccess.readStock,
  seatMapsAccess.readMapVersion,
  seatsAccess.readTakenSection,
  { EVC: ['PutItem'], EVT: ['GetItem', 'PutItem'] },
] satisfies Access;

/** What the functions of this folder do to the table. */
export const eventsAccess = {
  readEvent: { EVT: ['GetItem'] },
  readVenue: { EVT: ['GetItem'] },
  readVenues: { EVT: ['Query'] },
  writeEvent: [
    positionsAccess.positionChangePut,
    { EVC: ['ConditionCheckItem', 'PutItem'], EVT: ['GetItem', 'PutItem'], EVV: ['DeleteItem', 'PutItem'] },
  ],
  /** Of fields that neither sort nor search an event. */
  changeEvent: { EVC: ['PutItem'], EVT: ['GetItem', 'PutItem'] },
  renameNextEvents: { EVC: ['PutItem'], EVT: ['GetItem', 'PutItem', 'Query'] },
  readEvents: { EVT: ['BatchGetItem'] },
  listEvents: [positionsAccess.keysInOrder, { EVT: ['BatchGetItem', 'GetItem', 'Query'], EVV: ['Query'] }],
  updateSoldOut,
  scheduleSoldOutUpdate: tableAccess.putHint,
  updateOverdueSoldOut: [
    updateSoldOut,
    { EVT: ['GetItem'] },
    seatsAccess.drawSection,
    tableAccess.overdueHints,
    tableAccess.removeHint,
  ],
} satisfies FunctionAccess;
