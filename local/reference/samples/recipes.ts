/** Where a sample takes an id from: the response of an operation. */
export interface IdSource {
  readonly from: string;
  /** The name of the request, if the response has no other. */
  readonly field?: string;
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
}

const ownEvent: Sources = { event_id: { from: 'create-event' }, price_id: { from: 'create-price' } };
const boughtTicket: Sources = { ...ownEvent, ticket_id: { from: 'check-out-basket' } };
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
  operations: ['refund-order', 'cancel-order'],
  sources: { ...ownEvent, order_id: { from: 'check-out-basket' } },
  earlier: published,
};

const givenTicket: Recipe = {
  operations: ['transfer-ticket', 'cancel-transfer', 'preview-transfer', 'accept-transfer'],
  sources: { ...boughtTicket, transfer_id: { from: 'transfer-ticket' }, accept_token: { from: 'transfer-ticket' } },
  earlier: published,
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

export const recipes: readonly Recipe[] = [sale, boughtOrder, givenTicket, soldOut, seats, ownMember];
