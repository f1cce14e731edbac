import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { countersAccess } from '../counters/access.ts';

const readOrder = { UNI: ['GetItem'], ORD: ['GetItem'] } satisfies Access;
const readOrderWithTickets = [readOrder, { BAR: ['BatchGetItem'] }] satisfies Access;

/** What the functions of this folder do to the table. */
export const ordersAccess = {
  readOrder,
  readOrderWithTickets,
  ordersOfUser: { ORU: ['Query'] },
  readPriceCounts: { ORD: ['Query'] },
  listOrders: [readOrder, countersAccess.locateOffset, { ORD: ['Query'], ORV: ['Query'] }],
  writeOrder: [
    readOrderWithTickets,
    countersAccess.addToCounters,
    { BAR: ['PutItem'], ORD: ['PutItem'], ORV: ['PutItem'], UNI: ['PutItem'] },
  ],
  changeTickets: [
    readOrderWithTickets,
    countersAccess.addToCounters,
    { BAR: ['UpdateItem'], ORD: ['PutItem'], ORV: ['PutItem'] },
  ],
} satisfies FunctionAccess;
