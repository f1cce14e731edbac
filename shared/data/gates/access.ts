import type { FunctionAccess } from '../../domain/table-access.ts';
import { membersAccess } from '../members/access.ts';
import { ordersAccess } from '../orders/access.ts';
import { scansAccess } from '../scans/access.ts';

/** What the functions of this folder do to the table. */
export const gatesAccess = {
  readGate: { GATE: ['GetItem'] },
  readAddresses: { BAR: ['BatchGetItem'], CUS: ['BatchGetItem'], ORD: ['BatchGetItem'] },
  readOfflinePage: [ordersAccess.listEventTickets, membersAccess.listAdmittedCards, scansAccess.readEntries],
} satisfies FunctionAccess;
