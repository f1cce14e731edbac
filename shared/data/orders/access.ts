import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { countersAccess } from '../counters/access.ts';
import { eventsAccess } from '../events/access.ts';
import { journalAccess } from '../journal/access.ts';
import { positionsAccess } from '../positions/access.ts';
import { seatsAccess } from '../seats/access.ts';
import { tableAccess } from '../table/access.ts';

const readOrder = { BSK: ['GetItem'], ORD: ['GetItem'] } satisfies Access;
const changeOrder = [
  positionsAccess.positionChangePut,
  { ORD: ['GetItem', 'PutItem'], ORT: ['GetItem', 'PutItem'] },
  tableAccess.personHash,
] satisfies Access;
const writeTicket = [changeOrder, { BAR: ['UpdateItem'] }] satisfies Access;
const readOrderWithTickets = [readOrder, { ORT: ['GetItem'] }] satisfies Access;

/** What the functions of this folder do to the table. */
export const ordersAccess = {
  readOrder,
  readOrderWithTickets,
  readOrderRef: { BSK: ['GetItem'] },
  findOrderRef: { BSK: ['GetItem'], UNI: ['GetItem'] },
  readOrderAt: { ORD: ['GetItem'], ORT: ['GetItem'] },
  ordersOfUser: { ORD: ['BatchGetItem'], ORU: ['Query'] },
  hasOrders: { ORD: ['Query'] },
  readPriceCounts: { ORD: ['Query'] },
  listOrders: [
    readOrder,
    countersAccess.locateOffset,
    { ORD: ['BatchGetItem', 'Query'], ORV: ['Query'], UNI: ['GetItem'] },
  ],
  ordersAfter: { ORD: ['Query'] },
  listEventTickets: { ORT: ['Query'] },
  refundRequestPut: { RFD: ['PutItem'] },
  listAllOrders: [
    readOrderWithTickets,
    eventsAccess.readEvents,
    positionsAccess.keysInOrder,
    tableAccess.personHash,
    {
      BAR: ['GetItem'],
      MIG: ['GetItem'],
      ORD: ['BatchGetItem', 'Query'],
      ORT: ['BatchGetItem'],
      ORU: ['Query'],
      ORV: ['Query'],
      UNI: ['GetItem'],
    },
  ],
  listChangedOrders: [
    eventsAccess.readEvents,
    positionsAccess.keysInOrder,
    { ORD: ['BatchGetItem'], ORT: ['BatchGetItem'] },
  ],
  writeOrder: [
    readOrderWithTickets,
    countersAccess.addToCounters,
    positionsAccess.positionChangePut,
    tableAccess.personHash,
    {
      BAR: ['PutItem'],
      BSK: ['PutItem'],
      ORD: ['PutItem'],
      ORT: ['PutItem'],
      ORV: ['PutItem'],
      UNI: ['PutItem'],
    },
  ],
  recordPayment: [writeTicket, journalAccess.journalItems],
  setOrderMetadata: changeOrder,
  setInvoiceAddress: [writeTicket, journalAccess.journalItems],
  readOverdueOrders: { ORD: ['Query'] },
  readOrdersToReturn: { ORD: ['Query'] },
  orderCheck: { ORD: ['ConditionCheckItem'] },
  changeHolder: [writeTicket, { BAR: ['BatchGetItem'] }],
  moveTicketSeat: [writeTicket, seatsAccess.readSeenRows, seatsAccess.takeSeats],
  changeTickets: [
    readOrderWithTickets,
    journalAccess.journalItems,
    countersAccess.addToCounters,
    positionsAccess.positionChangePut,
    tableAccess.personHash,
    { BAR: ['UpdateItem'], ORD: ['PutItem'], ORT: ['PutItem'], ORV: ['PutItem'] },
  ],
} satisfies FunctionAccess;
