import { basketFields } from './personal-fields-of-baskets.ts';
import type { KeyKind } from './table-access.ts';

/**
 * What in a kind's rows a person typed, or staff typed about a person, or leads to one, each with the section of export and erasure
 * that reaches it (`admin/person/sections.ts`); and which texts are neither. `impersonal-numbers.ts` has the numbers that are not. A field without
 * an answer fails `test/data/admin/personal-data.test.ts`. `[]` is an item of a list, `*` the rest of a name.
 */
interface PersonalData {
  readonly personal: Readonly<Record<string, string>>;
  readonly others: readonly string[];
}

const none = (...others: readonly string[]): PersonalData => ({ personal: {}, others });

/** The fields that one section reaches. */
const reachedBy = (section: string, ...fields: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map((field) => [field, section]));

/** In a row of the history, and in the list of what counts now. */
const inConsents = (...fields: readonly string[]) => fields.flatMap((field) => [field, `consents[].${field}`]);

export const personalData: Readonly<Record<KeyKind, PersonalData>> = {
  AUD: none(),
  // The names of API keys, `a1`, lead to hashes and scopes.
  AUTH: none('a1'),
  BAR: {
    personal: { name: 'orders, transfers', email: 'orders', 'offers[].mail': 'transfers' },
    others: ['code', 'firstIn', 'group', 'kind', 'offers[].hash', 'offers[].st', 'title', 'was[][]', 'went[][]'],
  },
  BRK: none('settings.secret', 'settings.status', 'settings.url', 'settings.formerSecret'),
  BSK: basketFields,
  // Attributes are whatever the organisation counts of its fans, such as points, an age or a day of birth.
  CAT: { personal: { 'addresses[]': 'customer', 'attributes.*': 'customer_attributes' }, others: [] },
  CDC: none('effect.kind', 'title'),
  CDE: none('code'),
  CNS: {
    personal: reachedBy('consents', ...inConsents('about', 'by', 'given', 'text', 'from')),
    others: [],
  },
  CNT: none(),
  CUS: {
    personal: reachedBy('customer', 'email', 'first', 'last', 'mail', 'meta.*', 'mobile', 'post'),
    // The organisation's own id stays, as the customer does.
    others: ['ref'],
  },
  CUV: {
    personal: reachedBy('customer', 'email', 'first', 'last', 'mail', 'meta.*', 'mobile', 'post', 'f'),
    others: ['ref'],
  },
  DLV: {
    personal: { 'attempts[].response': 'events' },
    // `body` is that of a test event.
    others: [
      'attempts[].outcome',
      'body',
      'claim',
      'endpointId',
      'eventId',
      'orgId',
      'replayId',
      'requestId',
      'status',
      'type',
    ],
  },
  DUE: none('ref[]', 'requestId', 'type'),
  ERS: none('orgId', 'addressHash', 'untaggedHash'),
  EVC: none(
    'code',
    'currency',
    'metadata.*',
    'phases[].title',
    'status',
    'timezone',
    'title',
    'urlString',
    'venueId',
    'venueName',
    'zone',
  ),
  EVT: none('code', 'currency', 'metadata.*', 'name', 'timezone', 'title', 'urlString', 'venueId', 'venueName'),
  EVV: none(),
  FEED: { personal: { body: 'events' }, others: ['requestId', 'type'] },
  GATE: none('ending', 'events', 'gates', 'membershipCategories', 'name', 'priceCategories', 'signer', 'tokenId'),
  GATEAUTH: none('events', 'gates'),
  HMAC: none('key'),
  HOLD: none(),
  HOOK: none('description', 'endpointId', 'secret', 'status', 'types[]', 'url'),
  IDM: { personal: { answer: 'stored_responses' }, others: ['claimToken', 'fingerprint'] },
  // The reason is that of a cancelled event.
  JOB: none('cursor', 'jobId', 'requestId', 'status', 'task.kind', 'task.reason', 'task.refund', 'task.venueId'),
  JRN: none('cur', 'kind', 'mems', 'sold'),
  KEY: none('ending', 'keyId', 'label', 'mode', 'orgId', 'scopes[]', 'signer'),
  MCF: none('code', 'currency', 'hexColor', 'image', 'kind', 'metadata.*', 'proRata', 'title'),
  MEM: {
    personal: reachedBy(
      'members',
      'address',
      'address2',
      'suburb',
      'state',
      'postcode',
      'firstName',
      'lastName',
      'dateOfBirth',
      'gender',
      'personId',
      'companyName',
      'emailAddress',
      'mobileNumber',
      'metadata.*',
      'trackingCode',
      'words[]',
    ),
    others: [
      ...['barcode', 'formerCards[].barcode', 'categoryTitle', 'fulfilled', 'memberNumber', 'orderId', 'typeTitle'],
      ...['seatRow', 'seatSection', 'seatTitle', 'seatAisle', 'seatLevel', 'seatGate'],
    ],
  },
  MEU: none(),
  MIG: none('after', 'orgId'),
  MPM: none(),
  NON: none('first', 'sortKey'),
  // Who ran the command; what may be a person's is left out.
  OPC: none('by', 'command', 'orgId', 'outcome', 'requestId', 'named[]'),
  ORD: {
    personal: {
      ...reachedBy('orders', 'email', 'first', 'last', 'meta.*', 'post', 'res.owner'),
      // The hash of an address, or the id of a customer.
      'per.owner': 'orders',
      'refunds[].reason': 'orders',
      'inv.*': 'orders',
    },
    // The organisation's own id of the purchase stays, as the order does.
    others: ['bars[]', 'cur', 'paid', 'sold', 'st', 'uuid', 'xref'],
  },
  ORG: none('country', 'name', 'orgId', 'timezone'),
  ORT: {
    personal: { 'tickets[].name': 'orders, transfers', 'mems[].first': 'orders', 'mems[].last': 'orders' },
    others: [
      'mems[].code',
      'mems[].num',
      'mems[].title',
      'sorts[].group',
      'sorts[].title',
      'tickets[].code',
      'tickets[].was[][]',
    ],
  },
  ORU: none(),
  ORV: { personal: { f: 'orders' }, others: ['st'] },
  PASS: none('firstIn', 'went[][]'),
  PING: none(),
  PLN: {
    personal: { customer: 'payment_plans', paymentMethod: 'payment_plans', text: 'payment_plans' },
    others: [
      ...['charge', 'fail', 'st', 'was'].map((name) => `instalments[].${name}`),
      ...['currency', 'optionId', 'provider', 'requestId', 'writeId'],
    ],
  },
  PMT: { personal: { customer: 'provider_customers' }, others: ['provider'] },
  POS: {
    // Until the change is applied, which the erasure waits for.
    personal: {
      ...reachedBy(
        'customer',
        'added.email',
        'added.first',
        'added.last',
        'removed.email',
        'removed.first',
        'removed.last',
      ),
      ...reachedBy('members', 'added.words[]', 'removed.words[]'),
    },
    others: [
      'added.added',
      'added.all',
      'added.catalogue',
      'added.listed',
      'added.members[]',
      'added.status1',
      'added.updated',
      'removed.members[]',
      'removed.updated',
      'applied[]',
    ],
  },
  POT: { personal: { 'k[]': 'customer, members' }, others: [] },
  PUB: none('label', 'mode', 'origins[]', 'signer', 'text', 'tokenId'),
  PUBCNT: none(),
  // The settings of the organisation, and its numbers.
  RCB: none(
    'after',
    'counts.*',
    'forgotten',
    'again',
    'late.*',
    'settings[].creditPrefix',
    'settings[].prefix',
    'settings[].seller.*',
    'writeId',
  ),
  RCP: {
    personal: reachedBy('documents', 'buyer.*'),
    others: ['cur', 'entry', 'kind', 'lines[].*', 'number', 'paidBy[].kind', 'refersTo.number', 'seller.*'],
  },
  REQ: none('code', 'key', 'op', 'req'),
  RFD: none(),
  RNW: {
    personal: reachedBy(
      'renewals',
      'consent.text',
      'saved.customer',
      'saved.paymentMethod',
      'setup.customer',
      'setup.paymentMethod',
    ),
    others: ['consent.requestId', 'optionId', 'saved.provider', 'setup.provider', 'setup.setupId', 'writeId'],
  },
  RPL: none('replayId', 'types[]'),
  SBK: { personal: { reason: 'seat_blocks' }, others: ['seats[]'] },
  // The sandbox stands for a provider, which keeps its own records.
  SBX: none('chargeId', 'currency', 'customer', 'key', 'method', 'orgId', 'secret', 'status'),
  SCN: { personal: { email: 'scans', name: 'scans' }, others: ['code', 'gate', 'group', 'result', 'title', 'way'] },
  SEA: none('s:*'),
  SEM: none('s:*'),
  SEP: none('bits'),
  SEQ: none(),
  SMP: none('part'),
  SSO: {
    personal: { subject: 'sso_links' },
    others: ['algorithms[]', 'audiences[]', 'issuer', 'keys.jwks', 'keys.kind', 'providerId'],
  },
  STK: none('requestId'),
  TRM: none('before.orderId', 'currency', 'state'),
  UNI: none('sortKey'),
  WDV: { personal: { push: 'wallet_passes' }, others: [] },
  WDR: { personal: { reason: 'withdrawals' }, others: ['currency', 'status', 'withdrawalId'] },
  WTL: { personal: { emailAddress: 'waiting_lists' }, others: ['entryId', 'place', 'status'] },
};
