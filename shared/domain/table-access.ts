/**
 * Every partition key of the table starts with its key kind (`ORG#…`), because IAM can limit a function to partition keys
 * only. An operation lists the kinds that it accesses and the actions on them; its IAM grants are generated from that list.
 */
export const keyKinds = {
  AUD: 'the continuous audit: where its round is, and how much it found',
  AUTH: 'authentication of an organisation: hashes and scopes of its API keys, and request counts',
  BAR: 'barcodes: one item per barcode, which is the ticket itself with its offers to others, or points to a member',
  BRK: 'circuit breaker of a webhook endpoint: failures, send slots, the lease on its backlog, and a copy of what senders need',
  BSK: 'baskets, and pointers to them from the email addresses and the customers of their buyers; an index lists those that are kept for days',
  CAT: 'attributes of customers: numbers that the organisation keeps of them, and the email addresses that they had before',
  CDC: 'code campaigns: what their codes do, and for which prices',
  CDE: 'codes of campaigns, by their text; indexes list those of a campaign, and the baskets and orders that have used one',
  CNS: 'consents of a customer: what counts now, and the history, which never changes',
  CNT: 'sales, attendance and scan counters of an event, in time buckets and shards',
  CUS: 'customers',
  CUV: 'views of customers: copies for sorting and look-ups by name, email address and id, and search words',
  DLV: 'webhook deliveries of an endpoint with every attempt, kept for 30 days',
  DUE: 'due hints: what a sweeper has to check, and when',
  ERS: 'erasures: whom operators have erased, by id or hash, so that a restored table erases them again; kept for 100 days',
  EVC: 'price categories and prices of an event, with a copy of the event, its phases, and which prices only codes reveal',
  EVT: 'venues and events',
  EVV: 'search words of the titles of events',
  FEED: 'events as they are sent to webhook endpoints, kept for 30 days; also the outbox',
  GATE: 'registered gates, and the metadata of gate tokens (label, dates) for the CLI',
  GATEAUTH: 'authentication of a gate token: its hash, the gates and events it is valid for, and request counts',
  HMAC: 'the key of the hashes that stand for email addresses in other keys',
  HOLD: 'tickets that the baskets of one client address and storefront token hold',
  HOOK: 'webhook endpoints of an organisation, their number, and the ids of deleted ones while their deliveries are logged',
  IDM: 'idempotency receipts: the first response to each Idempotency-Key, kept for a day',
  JOB: 'jobs: work on many rows, with how far it is and what failed',
  JRN: 'journal of an organisation: what moved money, and when; entries never change',
  KEY: 'metadata of API keys (label, scopes, dates) for the CLI',
  MCF: 'membership configuration: categories, types, payment options, seat maps',
  MEM: 'members',
  MEU: 'pointers from a customer to the members that belong to it',
  MIG: 'migrations of rows: how far the operator has come with each',
  MPM: 'tickets of an event that members have at prices with a limit per member, and persons in phases with a limit',
  NON: 'nonces of scans, so that a scan that a gate reports twice is recorded once',
  OPC: 'changes by operators: who ran which command of the CLI, when, and how it ended; values that may be of a person are left out',
  ORD: 'orders of an event',
  ORG: 'the organisation',
  ORT: 'tickets of an order in one item, as they are shown; an index finds those that changed',
  ORU: 'orders of a customer, of an email address or with a reference of another system (indexes of ORD)',
  ORV: 'search words of orders',
  PASS: 'entries and exits of a member at an event',
  PING: 'no items; the health check reads this key to verify that the table is reachable',
  PLN: 'payment plans of memberships, with their instalments; and what the buyers agreed to',
  PMT: 'customers at the payment provider, who have a saved payment method',
  POS: 'position changes: keys that rows gained or lost and that are not in the position trees yet; version of the trees',
  POT: 'position trees: the keys of a list in nodes with counts, to find the row at an offset; those of members and orders have what filters compare',
  PUB: 'storefront tokens: hash, origins, limits, and the approximate number of requests per minute',
  PUBCNT:
    'requests of one client address or for one basket with a storefront token, and baskets opened from an address, kept for an hour; wrong codes of a basket, kept for two months',
  RCB: 'receipt books: settings of an organisation, the last number of each series, and how far the journal has its documents',
  RCP: 'receipts and credit notes; indexes list those of a kind and those of an order',
  REQ: 'request log of an organisation: calls with API keys and what was answered, kept for 14 days; no bodies, addresses or people',
  RFD: 'requested refunds, which a worker executes; kept for a day',
  RNW: 'how the members of a purchase pay later: saved payment method, auto-renewal, and what they agreed to',
  RPL: 'replays of events to a webhook endpoint that are in progress',
  SBK: 'blocks of seats of an event: which seats the organisation does not sell, and until when',
  SBX: 'charges of the payment sandbox',
  SCN: 'scans of an event',
  SEA: 'rows of seats of an event: who has which seat',
  SEM: 'rows of seats that members have on a map: who has which seat at every event',
  SEP: 'pictures of the sections of an event: which seats are taken, a moment ago',
  SEQ: 'number of members ever created in an organisation, and the last member number',
  SMP: 'seat maps: the seats of one version, compressed, in parts; a version never changes',
  SSO: 'identity providers of an organisation, and the links from their users to customers',
  STK: 'stock of an event: capacity and available tickets of each price, in one or several slices; also that of a membership type, and the uses of a code',
  TRM: 'terms of a member: what was bought, from when to when',
  UNI: 'values that must be unique in an organisation, each with the id of the object that has it',
  WDR: 'withdrawals from memberships, who has an open one, and for a day who asked for one; indexes list them in order, by status and by order',
  WDV: 'passes of Apple Wallet on a device, by the hash of its id; an index leads from tickets and members to the devices; kept for 400 days',
  WTL: 'waiting lists of events: entries, the queue of those who wait, and the offers that can be paid; indexes list them in order and by person',
} as const;
export type KeyKind = keyof typeof keyKinds;

/** The kinds whose items are in an index too. */
export const indexedKinds: readonly KeyKind[] = [
  'BAR',
  'BSK',
  'CDE',
  'CUS',
  'CUV',
  'DLV',
  'EVT',
  'JRN',
  'MEM',
  'ORD',
  'ORG',
  'ORT',
  'ORU',
  'PLN',
  'RCB',
  'RCP',
  'WDR',
  'WDV',
  'WTL',
];

export const readActions = ['GetItem', 'BatchGetItem', 'Query'] as const;
export const writeActions = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem', 'BatchWriteItem'] as const;
export type TableAction = (typeof readActions)[number] | (typeof writeActions)[number];

export type TableAccess = Partial<Readonly<Record<KeyKind, readonly TableAction[]>>>;

/** Grants that add up: those of one function, or of several that are called together. */
export type Access = TableAccess | readonly Access[];

/** The grants of a folder's functions, each under the name of its function. Operations and workers list what they call. */
export type FunctionAccess = Readonly<Record<string, Access>>;

/** One grant out of many, sorted, so the order in which they are listed changes nothing in the template. */
export function combineAccess(access: Access): TableAccess {
  const actionsByKind = new Map<string, Set<TableAction>>();
  for (const grant of grantsIn(access)) {
    for (const [kind, actions] of Object.entries(grant)) {
      actionsByKind.set(kind, new Set([...(actionsByKind.get(kind) ?? []), ...actions]));
    }
  }
  const sorted = [...actionsByKind].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([kind, actions]) => [kind, [...actions].sort()]));
}

function grantsIn(access: Access): readonly TableAccess[] {
  return isList(access) ? access.flatMap(grantsIn) : [access];
}

function isList(access: Access): access is readonly Access[] {
  return Array.isArray(access);
}
