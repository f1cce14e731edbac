import { basketsAccess } from '../data/baskets/access.ts';
import { countersAccess } from '../data/counters/access.ts';
import { customersAccess } from '../data/customers/access.ts';
import { eventsAccess } from '../data/events/access.ts';
import { jobsAccess } from '../data/jobs/access.ts';
import { journalAccess } from '../data/journal/access.ts';
import { membersAccess } from '../data/members/access.ts';
import { membershipAccess } from '../data/membership/access.ts';
import { ordersAccess } from '../data/orders/access.ts';
import { organisationsAccess } from '../data/organisations/access.ts';
import { phasesAccess } from '../data/phases/access.ts';
import { plansAccess } from '../data/plans/access.ts';
import { pricesAccess } from '../data/prices/access.ts';
import { renewalsAccess } from '../data/renewals/access.ts';
import { scansAccess } from '../data/scans/access.ts';
import { seatsAccess } from '../data/seats/access.ts';
import { ssoDataAccess } from '../data/sso/access.ts';
import { tableAccess } from '../data/table/access.ts';
import { termsAccess } from '../data/terms/access.ts';
import { transfersAccess } from '../data/transfers/access.ts';
import { waitingListAccess } from '../data/waiting-list/access.ts';
import type { Access, FunctionAccess } from '../domain/table-access.ts';
import { outboxAccess } from '../outbox/access.ts';
import { sandboxAccess } from '../payments/access.ts';

const recordOrderPayment = [
  ordersAccess.readOrderAt,
  ordersAccess.recordPayment,
  customersAccess.readCustomer,
  eventsAccess.readEvent,
  outboxAccess.outboxItems,
] satisfies Access;

/** What a bank has withdrawn is not credited. */
const readCreditWithdrawn = [termsAccess.termsOfMember, journalAccess.isMoneyWithdrawn] satisfies Access;

const recordConsents = [
  customersAccess.readCurrentConsents,
  customersAccess.consentWrites,
  customersAccess.customerCheck,
  customersAccess.customerWrites,
  outboxAccess.outboxItems,
] satisfies Access;

const completeOrder = [
  recordConsents,
  readCreditWithdrawn,
  basketsAccess.readBasket,
  customersAccess.findOrCreateCustomer,
  ssoDataAccess.findLink,
  ssoDataAccess.linkPut,
  ssoDataAccess.saveLink,
  eventsAccess.readEvent,
  pricesAccess.readBarcodeTimes,
  ordersAccess.writeOrder,
  journalAccess.journalItems,
  membersAccess.newMember,
  scansAccess.memberPriceBought,
  membershipAccess.readTypesForMembers,
  termsAccess.termPuts,
  membersAccess.changeMember,
  plansAccess.newPlanPuts,
  plansAccess.savedCustomerPut,
  renewalsAccess.renewalHintPut,
  renewalsAccess.readRenewal,
  renewalsAccess.saveRenewal,
  organisationsAccess.readOrganisation,
  basketsAccess.limitMoves,
  ordersAccess.readOrderWithTickets,
  customersAccess.readCustomer,
  { BSK: ['PutItem', 'ConditionCheckItem'] },
  basketsAccess.changeBasket,
  ordersAccess.refundRequestPut,
  tableAccess.putHint,
  basketsAccess.addressCountMoves,
  outboxAccess.outboxItems,
] satisfies Access;

const settlePayment = [
  basketsAccess.changeBasket,
  tableAccess.putHint,
  tableAccess.personHash,
  sandboxAccess.retrieve,
  sandboxAccess.cancel,
] satisfies Access;

const settleCheckout = [settlePayment, completeOrder] satisfies Access;

const claimBasket = [
  readCreditWithdrawn,
  tableAccess.personHash,
  phasesAccess.readEventWithPhases,
  customersAccess.readAttributes,
  basketsAccess.readMemberTickets,
  membersAccess.membersOfCustomer,
  membersAccess.readMember,
  customersAccess.findCustomerWithVerifiedAddress,
  organisationsAccess.readOrganisation,
  plansAccess.readSavedCustomer,
  sandboxAccess.prepare,
] satisfies Access;

const cancelOrRefundTickets = [
  ordersAccess.readOrder,
  ordersAccess.readOrderWithTickets,
  plansAccess.readPlan,
  eventsAccess.readEvent,
  customersAccess.readCustomer,
  ordersAccess.changeTickets,
  membersAccess.changeMember,
  termsAccess.termsOfMember,
  termsAccess.termEnds,
  renewalsAccess.readRenewal,
  renewalsAccess.saveRenewal,
  tableAccess.putHint,
  basketsAccess.limitMoves,
  pricesAccess.returnStock,
  seatsAccess.returnSeats,
  outboxAccess.outboxItems,
] satisfies Access;

const executeRefunds = [
  basketsAccess.changeBasket,
  sandboxAccess.refund,
  ordersAccess.readOrderWithTickets,
  ordersAccess.orderCheck,
  transfersAccess.readBarcodeRows,
  plansAccess.planPut,
  journalAccess.journalItems,
  renewalsAccess.renewalHintPut,
  cancelOrRefundTickets,
] satisfies Access;

const requestRefund = [
  basketsAccess.readBasket,
  ordersAccess.readOrderWithTickets,
  plansAccess.planPut,
  basketsAccess.changeBasket,
  ordersAccess.refundRequestPut,
  tableAccess.putHint,
  cancelOrRefundTickets,
] satisfies Access;

const recordReturn = [
  basketsAccess.readBasket,
  ordersAccess.readOrderWithTickets,
  cancelOrRefundTickets,
] satisfies Access;

const followTerms = [
  membersAccess.changeMember,
  membershipAccess.readTypesForMembers,
  termsAccess.termsOfMember,
  membersAccess.lastTermOf,
  outboxAccess.outboxItems,
] satisfies Access;

const endPaidAndPassedOffers = [
  waitingListAccess.readOpenOffers,
  waitingListAccess.readOfferedBaskets,
  waitingListAccess.readEntry,
  waitingListAccess.endEntry,
  outboxAccess.outboxItems,
] satisfies Access;

const serveWaitingList = [
  pricesAccess.readPricedEvent,
  pricesAccess.readStock,
  endPaidAndPassedOffers,
  waitingListAccess.readQueue,
  waitingListAccess.offerTickets,
  waitingListAccess.closeStock,
] satisfies Access;

/** What the functions of this folder do to the table. */
export const salesAccess = {
  recordOrderPayment,
  recordConsents: [customersAccess.readCustomer, recordConsents],
  endPaidAndPassedOffers,
  serveWaitingLists: [serveWaitingList, tableAccess.putHint],
  sweepWaitingLists: [serveWaitingList, tableAccess.overdueHints, tableAccess.putHint, tableAccess.removeHint],
  checkOut: [settleCheckout, claimBasket, sandboxAccess.confirm],
  preparePayment: [settleCheckout, claimBasket],
  changeBasketEndingPayment: settlePayment,
  acceptStripeEvent: [
    settleCheckout,
    executeRefunds,
    outboxAccess.outboxItems,
    ordersAccess.readOrder,
    plansAccess.planPut,
  ],
  announceDispute: [
    plansAccess.readPlan,
    plansAccess.planPut,
    ordersAccess.readOrderWithTickets,
    customersAccess.readCustomer,
    eventsAccess.readEvent,
    basketsAccess.changeBasket,
    outboxAccess.outboxItems,
  ],
  offerTransfer: [transfersAccess.changeOffers, transfersAccess.offerHintPut, outboxAccess.outboxItems],
  cancelOwnTicket: [
    transfersAccess.readTicketState,
    eventsAccess.readEvent,
    plansAccess.readPlan,
    basketsAccess.readBasket,
    requestRefund,
    { BAR: ['UpdateItem'], EVT: ['ConditionCheckItem'] },
  ],
  cancelTransfer: [transfersAccess.changeOffers],
  acceptTransfer: [transfersAccess.acceptTransfer, outboxAccess.outboxItems],
  renameHolder: [ordersAccess.changeHolder, outboxAccess.outboxItems],
  cancelOrRefundTickets,
  requestRefund,
  recordReturn,
  executeRefunds,
  cancelMembership: [basketsAccess.readBasket, requestRefund, membersAccess.changeMember],
  cancelEvent: [
    eventsAccess.readEvent,
    eventsAccess.writeEvent,
    countersAccess.locateOffset,
    jobsAccess.readJob,
    jobsAccess.jobPuts,
    outboxAccess.outboxItems,
  ],
  cancelNextOrders: [
    requestRefund,
    executeRefunds,
    ordersAccess.ordersAfter,
    basketsAccess.readLongHolds,
    basketsAccess.changeBasket,
    serveWaitingList,
  ],
  sweepBaskets: [
    settleCheckout,
    executeRefunds,
    followTerms,
    tableAccess.overdueHints,
    tableAccess.putHint,
    tableAccess.removeHint,
  ],
} satisfies FunctionAccess;
