import type { Access, FunctionAccess } from '../../domain/table-access.ts';
import { ordersAccess } from '../orders/access.ts';
import { tableAccess } from '../table/access.ts';

const readTicketState = [ordersAccess.readOrderAt, { BAR: ['BatchGetItem'] }] satisfies Access;

/** What the functions of this folder do to the table. */
export const transfersAccess = {
  readTicketState,
  readBarcodeRows: { BAR: ['BatchGetItem'] },
  ticketsGivenTo: { BAR: ['Query'] },
  changeOffers: [readTicketState, tableAccess.personHash, { BAR: ['UpdateItem'] }],
  offerHintPut: tableAccess.putHint,
  forgetEndedOffers: [
    tableAccess.overdueHints,
    tableAccess.removeHint,
    tableAccess.personHash,
    { BAR: ['BatchGetItem', 'UpdateItem'] },
  ],
  acceptTransfer: [readTicketState, ordersAccess.changeHolder, { BAR: ['PutItem', 'UpdateItem'] }],
} satisfies FunctionAccess;
