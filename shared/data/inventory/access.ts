import type { FunctionAccess } from '../../domain/table-access.ts';
import { countersAccess } from '../counters/access.ts';
import { pricesAccess } from '../prices/access.ts';
import { seatMapsAccess } from '../seat-maps/access.ts';
import { seatsAccess } from '../seats/access.ts';
import { waitingListAccess } from '../waiting-list/access.ts';

/** What the functions of this folder do to the table. */
export const inventoryAccess = {
  readInventory: [
    countersAccess.readSales,
    pricesAccess.readPricedEvent,
    pricesAccess.readStock,
    seatMapsAccess.readMapVersion,
    seatsAccess.readTakenSection,
    waitingListAccess.readOpenOffers,
    waitingListAccess.readOfferedBaskets,
  ],
} satisfies FunctionAccess;
