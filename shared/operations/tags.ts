/** The groups of operations: each is a folder of entries and handlers, and an OpenAPI tag. */
export const tags = {
  baskets: 'Sell tickets: open a basket, add items, check out.',
  catalogue: 'Write what is sold: venues, events, price categories, prices, pools and memberships.',
  codes: 'Codes that reduce prices or reveal them, in campaigns.',
  customers: 'Fans known to the organisation through a purchase or an import.',
  documents: 'Receipts and credit notes, numbered without gaps, for bookkeepers and buyers.',
  events: 'Matches, concerts and other events, with their prices, orders, sales and scans.',
  jobs: 'Work on many objects that goes on after its request: its progress and its report.',
  journal: 'What moved money, and when: sales, refunds and disputes, for accounting.',
  members: 'People who hold a membership.',
  membership: 'Membership configuration: categories, types and payment options.',
  orders: 'Orders of all events, with their tickets and refunds.',
  organisation: 'The organisation of the API key.',
  'rate-limit': 'The request limits and their current use.',
  requests: 'What was called with API keys, and what was answered.',
  'seat-maps': 'Maps of numbered seats: sections, rows, seats and zones; and seats that are not for sale.',
  sso: 'The orders and tickets of a signed-in fan.',
  tickets: 'Tickets in the hands of their holders: names, barcodes, and giving a ticket to somebody else.',
  'waiting-lists': 'Who waits for tickets that are sold out. What comes back is offered to the first who fit.',
  withdrawals: 'Buyers who withdraw from the purchase of a membership, and what became of it.',
  webhooks: 'Events of the organisation, and the endpoints that receive them.',
  service:
    'Health and API description of the service. These operations are public and do not count against the request limits.',
} as const;

export type Tag = keyof typeof tags;
