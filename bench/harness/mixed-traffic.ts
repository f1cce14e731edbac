import { operations } from '../../shared/operations/registry.ts';
import type { LocalRun } from './local-run.ts';

export interface MixedRequest {
  readonly method: string;
  readonly url: string;
  readonly key: string;
  /** A form. */
  readonly body?: string;
  /** Called with the response, because a later request may need an id of it. */
  onResponse?(status: number, body: string): void;
}

type Values = Readonly<Record<string, string | number>>;
interface Call {
  readonly params?: Values;
  readonly query?: Values;
  readonly body?: Values;
  onResponse?(status: number, body: string): void;
}

/** The rows that requests of one organisation are about. Purchases add to it. */
interface Known {
  readonly orgId: string;
  readonly eventId: string;
  readonly priceIds: readonly string[];
  readonly customerIds: readonly string[];
  readonly memberIds: readonly string[];
  readonly openBaskets: string[];
  readonly filledBaskets: string[];
  readonly barcodes: string[];
}

/** Requests with a weight: what a club's website, box office and gates send. */
type Mix = readonly (readonly [string, number, (known: Known, turn: number) => Call | undefined])[];

const pick = <Item>(items: readonly Item[], turn: number): Item | undefined => items[turn % items.length];
const ofEvent = ({ eventId }: Known): Call => ({ params: { event_id: eventId } });
const pageOfEvent = ({ eventId }: Known): Call => ({ params: { event_id: eventId }, query: { limit: 20 } });
const page = (): Call => ({ query: { limit: 20 } });
const plain = (): Call => ({});
/** Baskets that are waiting for their next step. More are dropped, and expire as abandoned ones do. */
const keptBaskets = 50;

const keep = (list: string[], value: string): void => {
  if (list.length < keptBaskets) list.push(value);
};

const mix: Mix = [
  ['retrieve-organisation', 8, plain],
  ['list-events', 6, page],
  ['retrieve-event', 6, ofEvent],
  ['list-event-prices', 6, ofEvent],
  ['list-customers', 4, page],
  ['list-customers', 3, () => ({ query: { q: 'har', limit: 20 } })],
  ['retrieve-customer', 3, ({ customerIds }, turn) => ({ params: { customer_id: pick(customerIds, turn) ?? '' } })],
  ['list-members', 4, page],
  ['retrieve-member', 3, ({ memberIds }, turn) => ({ params: { membership_member_id: pick(memberIds, turn) ?? '' } })],
  ['list-event-orders', 3, pageOfEvent],
  ['list-event-scans', 2, pageOfEvent],
  ['event-stats-by-price-category', 1, ofEvent],
  ['event-stats-by-price', 1, ofEvent],
  ['event-sales-summary', 1, ofEvent],
  ['list-membership-types', 1, plain],
  ['list-membership-categories', 1, plain],
  ['list-membership-payment-options', 1, plain],
  ['list-webhook-endpoints', 1, plain],
  ['list-webhook-events', 1, page],
  ['retrieve-rate-limit', 1, plain],
  ['health', 1, plain],
  [
    'open-basket',
    6,
    ({ orgId, openBaskets }) => ({
      body: { org: orgId },
      onResponse: (status, body) => {
        if (status === 201) keep(openBaskets, JSON.parse(body).id);
      },
    }),
  ],
  [
    'add-basket-item',
    6,
    ({ openBaskets, filledBaskets, priceIds }, turn) => {
      const basket = openBaskets.shift();
      if (basket === undefined) return undefined;
      return {
        params: { basket_id: basket },
        body: { price_id: pick(priceIds, turn) ?? '', quantity: 1 },
        onResponse: (status) => {
          if (status < 300) keep(filledBaskets, basket);
        },
      };
    },
  ],
  [
    'check-out-basket',
    6,
    ({ filledBaskets, barcodes }, turn) => {
      const basket = filledBaskets.shift();
      if (basket === undefined) return undefined;
      return {
        params: { basket_id: basket },
        body: {
          payment_method: 'pm_card_visa',
          'customer[email]': `load-${turn % 500}@example.com`,
          'customer[first_name]': 'Load',
          'customer[last_name]': 'Generator',
        },
        onResponse: (status, body) => {
          if (status < 300) for (const { barcode } of JSON.parse(body).tickets ?? []) keep(barcodes, barcode);
        },
      };
    },
  ],
  [
    'record-scan',
    4,
    ({ eventId, barcodes }) => ({ params: { event_id: eventId }, body: { barcode: barcodes.shift() ?? 'unknown' } }),
  ],
];

/** An endless sequence of requests of all kinds, over both demo organisations and all keys. */
export async function mixedTraffic({ url, keys }: LocalRun): Promise<() => MixedRequest> {
  const known = new Map<string, Known>();
  for (const { orgId, key } of keys) {
    if (!known.has(orgId)) known.set(orgId, await discover(url, orgId, key));
  }
  const order = shuffled(mix.flatMap(([id, weight, call]) => Array.from({ length: weight }, () => ({ id, call }))));
  let turn = 0;
  return () => {
    for (;;) {
      turn += 1;
      const sender = pick(keys, turn);
      const entry = pick(order, turn);
      const rows = sender && known.get(sender.orgId);
      const call = rows && entry?.call(rows, turn);
      if (sender !== undefined && entry !== undefined && call !== undefined) {
        return requestOf(url, entry.id, sender.key, call);
      }
    }
  };
}

function requestOf(url: string, id: string, key: string, { params = {}, query, body, onResponse }: Call): MixedRequest {
  const operation = operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  const path = operation.paths[0]?.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
  const form = (values: Values) =>
    new URLSearchParams(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));
  return {
    method: operation.method,
    url: `${url}${path}${query === undefined ? '' : `?${form(query)}`}`,
    key,
    ...(body !== undefined && { body: form(body).toString() }),
    ...(onResponse !== undefined && { onResponse }),
  };
}

async function discover(url: string, orgId: string, key: string): Promise<Known> {
  const list = async (path: string): Promise<Record<string, unknown>[]> => {
    const response = await fetch(`${url}/v1/${path}`, { headers: { Authorization: `Bearer ${key}` } });
    const { data }: { data: Record<string, unknown>[] } = JSON.parse(await response.text());
    return data;
  };
  const ids = (rows: Record<string, unknown>[], field: string) => rows.map((row) => String(row[field]));
  const [eventId = ''] = ids(await list('events?event_status_id=1'), 'event_id');
  return {
    orgId,
    eventId,
    priceIds: ids(await list(`events/${eventId}/prices`), 'price_id'),
    customerIds: ids(await list('customers?limit=50'), 'user_id'),
    memberIds: ids(await list('members?limit=50'), 'membership_member_id'),
    openBaskets: [],
    filledBaskets: [],
    barcodes: [],
  };
}

/** The same order in every run, with the kinds well mixed. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  const stride = 37;
  return items.map((_, index) => items[(index * stride) % items.length]).filter((item) => item !== undefined);
}
