/**
 * Every partition key of the table begins with the kind of thing it holds (`ORG#…`), because IAM can limit a function to
 * partition keys only. An operation names the kinds it touches and what it does to them; its grants follow from that.
 */
export const keyKinds = {
  BAR: 'barcodes, each with the ticket or member that it admits',
  BRK: 'how a webhook endpoint is doing: its failures, its pace, who empties its line',
  CNT: 'what was sold, admitted and scanned at an event, in buckets of time',
  BSK: 'baskets',
  CUS: 'customers',
  CUV: 'customers once more, by name, email address and word: what they are sorted and searched by',
  DLV: 'events on their way to a webhook endpoint, with every attempt, for thirty days',
  AUTH: 'what the door needs of an organisation: key hashes, scopes and request counts',
  EVC: 'price categories and prices of an event',
  EVT: 'venues and events',
  EVV: 'events once more, by the words of their titles: what they are searched by',
  DUE: 'hints of what a sweeper has to look at, and when',
  FEED: 'what happened, as it is sent to webhook endpoints, for thirty days',
  GATE: 'registered gates, and what the platform team knows of gate tokens',
  GATEAUTH: 'what the door needs of a gate token: its hash, bounds and request counts',
  IDM: 'the first answers to requests with an Idempotency-Key, for a day',
  HOOK: 'webhook endpoints, and how many there are',
  KEY: 'what the platform team knows of an API key: label, scopes, dates',
  MCF: 'membership configuration: categories, types, payment options, seat maps',
  MEE: 'the members with an email address: what prices for members are judged by',
  MEM: 'members',
  NON: 'what gates name their readings by, so that each is recorded once',
  ORD: 'orders of an event',
  ORG: 'the organisation record',
  ORU: 'the orders of a customer (an index of ORD)',
  ORV: 'orders once more, by word: what they are searched by',
  PAGE: 'where remembered pages of lists begin',
  PASS: 'when a member went in and out at an event',
  PING: 'holds nothing: the health check reads it to see that the table answers',
  RPL: 'replays of events to a webhook endpoint that are under way',
  SCN: 'scans of an event',
  SBX: 'the charges of the payment sandbox',
  SEQ: 'how many members the organisation has had, and the last member number',
  SSO: 'identity providers of an organisation, and which customer each of their users is',
  STK: 'how many tickets of each price of an event there are, and how many are left',
  UNI: 'what may exist only once in an organisation, each value with the id that holds it',
} as const;
export type KeyKind = keyof typeof keyKinds;

/** The kinds whose items stand in an index too. */
export const indexedKinds: readonly KeyKind[] = ['CUS', 'DLV', 'EVT', 'MEM', 'ORD', 'ORU'];

export const readActions = ['GetItem', 'BatchGetItem', 'Query'] as const;
export const writeActions = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem', 'BatchWriteItem'] as const;
export type TableAction = (typeof readActions)[number] | (typeof writeActions)[number];

export type TableAccess = Partial<Readonly<Record<KeyKind, readonly TableAction[]>>>;
