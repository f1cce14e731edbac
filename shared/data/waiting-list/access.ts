import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { basketsAccess } from '../baskets/access.ts';
import { tableAccess } from '../table/access.ts';

const endEntry = [tableAccess.personHash, { WTL: ['DeleteItem', 'PutItem'], STK: ['UpdateItem'] }] satisfies Access;

/** What the functions of this folder do to the table. */
export const waitingListAccess = {
  readEntry: { WTL: ['GetItem'] },
  listEntries: { WTL: ['Query'] },
  readQueue: { WTL: ['Query'] },
  readOpenOffers: { WTL: ['Query'] },
  readOfferedBaskets: { BSK: ['BatchGetItem'] },
  requestPlace: [tableAccess.personHash, { WTL: ['PutItem'] }],
  joinWaitingList: [tableAccess.personHash, tableAccess.putHint, { WTL: ['PutItem'], STK: ['UpdateItem'] }],
  endEntry,
  offerTickets: [endEntry, basketsAccess.openBasket, basketsAccess.longHoldPuts],
  closeStock: { STK: ['UpdateItem'] },
} satisfies FunctionAccess;
