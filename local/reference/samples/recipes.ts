/** Where a sample takes an id from: the response of an operation. */
export interface IdSource {
  readonly from: string;
  /** The name of the request, if the response has no other. */
  readonly field?: string;
  /** The list of the response whose first item has it, if the recorded response has none there. */
  readonly list?: string;
  /** What the sample adds to it: to a time of the service, which may not be that of the machine. */
  readonly plusSeconds?: number;
}

type Sources = Readonly<Record<string, IdSource>>;
type Bodies = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What the samples of some operations do before, and with what: everything they need is theirs, so they run at any time and in any order. */
export interface Recipe {
  readonly operations: readonly string[];
  readonly sources: Sources;
  /** What must have been called before an operation, although no id comes from it. */
  readonly earlier?: Readonly<Record<string, string>>;
  /** What the bodies of the steps have besides or instead; undefined for what they leave out. */
  readonly bodies?: Bodies;
  /** The steps before it that the fan takes, besides those that need a fan. */
  readonly ofFan?: readonly string[];
}

const ownEvent: Sources = { event_id: { from: 'create-event' }, price_id: { from: 'create-price' } };
const boughtTicket: Sources = {
  ...ownEvent,
  ticket_id: { from: 'check-out-basket' },
  barcode: { from: 'check-out-basket' },
};
const published = { 'add-basket-item': 'update-event', 'add-basket-seats': 'update-event' };

/** An event of the sample's own that is on sale, whatever the time is. */
const sale: Recipe = {
  operations: [
    'add-basket-item',
    'remove-basket-item',
    'update-basket-line',
    'remove-basket-line',
    'apply-code',
    'remove-code',
    'prepare-payment',
    'check-out-basket',
  ],
  sources: ownEvent,
  earlier: published,
};

const boughtOrder: Recipe = {
  operations: ['refund-order', 'cancel-order', 'set-invoice-address'],
  sources: { ...ownEvent, order_id: { from: 'check-out-basket' } },
  earlier: published,
};

/** The first event on sale may be one that nobody has a ticket for, such as that of another sample. */
const ownTicket: Recipe = {
  operations: [
    'record-scan',
    'retrieve-ticket',
    'retrieve-ticket-pdf',
    'retrieve-ticket-apple-pass',
    'retrieve-ticket-google-pass',
    'update-ticket',
    'list-transfers',
  ],
  sources: boughtTicket,
  earlier: published,
};

const givenTicket: Recipe = {
  operations: ['transfer-ticket', 'cancel-transfer', 'preview-transfer', 'accept-transfer'],
  sources: { ...boughtTicket, transfer_id: { from: 'transfer-ticket' }, accept_token: { from: 'transfer-ticket' } },
  earlier: published,
};

/** The fan buys it, on terms under which it can be cancelled. */
const fansTicket: Recipe = {
  operations: ['cancel-own-ticket'],
  sources: boughtTicket,
  earlier: published,
  bodies: { 'create-price': { self_cancel: { until_hours: 48, keep_percent: 10 } } },
  ofFan: ['check-out-basket'],
};

/** Two tickets, which the sample's own basket holds. */
const soldOut: Recipe = {
  operations: ['join-waiting-list', 'leave-waiting-list', 'confirm-waiting-list-entry'],
  sources: ownEvent,
  earlier: { ...published, 'join-waiting-list': 'add-basket-item' },
  bodies: { 'create-pool': { capacity: 2 } },
};

const seats: Recipe = {
  operations: ['add-basket-seats', 'create-seat-block', 'delete-seat-block', 'move-ticket-seat'],
  sources: {
    ...boughtTicket,
    order_id: { from: 'check-out-basket' },
    seat_block_id: { from: 'create-seat-block' },
  },
  earlier: { ...published, 'check-out-basket': 'add-basket-seats' },
  bodies: {
    'create-event': { reserved_seating: true, seat_map_id: 0 },
    'create-price-category': { zone: 'Premium' },
    'create-price': { pool_id: undefined },
  },
};

/** A member of a customer, whom no one has charged. */
const ownMember: Recipe = {
  operations: ['set-payment-method', 'cancel-member'],
  sources: { membership_member_id: { from: 'create-member', field: 'member_id' } },
  bodies: { 'cancel-member': { refund: 'none' } },
};

/** A membership that the sample sells: one of the demo ends with its season, and not everyone has a plan. */
const boughtMembership: Sources = {
  membership_member_id: { from: 'check-out-basket', list: 'memberships' },
  order_id: { from: 'check-out-basket' },
  refund_id: { from: 'list-order-refunds' },
};
const oneMembership: Bodies = {
  'create-membership-type': { title: 'Weekdays', persons: 1, membership_payment_option_ids: undefined },
  'add-basket-item': { price_id: undefined, membership_type_id: 0, quantity: 1 },
};

const memberCard: Recipe = {
  operations: ['retrieve-member-apple-pass', 'retrieve-member-google-pass'],
  sources: boughtMembership,
  bodies: oneMembership,
};

const paymentPlan: Recipe = {
  operations: ['retrieve-payment-plan', 'pay-instalment', 'set-auto-renew'],
  sources: boughtMembership,
  // A membership in a basket keeps the options that there were when it was added.
  earlier: { 'add-basket-item': 'create-membership-payment-option' },
  bodies: {
    ...oneMembership,
    'check-out-basket': {
      membership_payment_option_id: 0,
      consent: true,
      consent_text: 'Harbour City FC may charge three more instalments to my card.',
    },
  },
};

/** What was paid in cash, and is owed back since nobody was there to take it. */
const owedCash: Recipe = {
  operations: ['record-refund-return'],
  sources: boughtMembership,
  earlier: { 'list-order-refunds': 'cancel-member' },
  bodies: {
    ...oneMembership,
    'open-basket': { channel: 'counter' },
    'check-out-basket': { payment_method: undefined, tender: { kind: 'cash' } },
  },
};

/** An order that is owed until thirty days after its basket would have expired. */
const owedInvoice: Recipe = {
  operations: ['record-order-payment'],
  sources: {
    ...ownEvent,
    order_id: { from: 'check-out-basket' },
    due_unix: { from: 'open-basket', field: 'expires_at', plusSeconds: 30 * 86_400 },
  },
  earlier: published,
  bodies: {
    'open-basket': { channel: 'counter' },
    'check-out-basket': { payment_method: undefined, tender: { kind: 'invoice', due_unix: 0 } },
  },
};

/** A member who has entered an event, so the withdrawal waits for a decision. */
const withdrawal: Recipe = {
  operations: ['request-withdrawal', 'confirm-withdrawal', 'retrieve-withdrawal', 'decide-withdrawal'],
  sources: {
    ...boughtMembership,
    ...ownEvent,
    barcode: { from: 'check-out-basket', list: 'memberships' },
    withdrawal_id: { from: 'request-withdrawal' },
  },
  earlier: { 'request-withdrawal': 'record-scan', 'record-scan': 'update-event' },
  bodies: {
    ...oneMembership,
    'create-membership-type': {
      ...oneMembership['create-membership-type'],
      game_day_access: 1,
      withdrawal_days: 14,
    },
  },
};

export const recipes: readonly Recipe[] = [
  sale,
  boughtOrder,
  ownTicket,
  givenTicket,
  fansTicket,
  soldOut,
  seats,
  ownMember,
  memberCard,
  paymentPlan,
  owedCash,
  owedInvoice,
  withdrawal,
];
