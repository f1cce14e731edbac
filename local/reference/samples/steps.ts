import { type RecordedCall, recordedCall } from '../../../shared/openapi/examples.ts';
import { needsFanToken, type Operation } from '../../../shared/operations/operation.ts';
import { operations } from '../../../shared/operations/registry.ts';
import { isRecord } from '../../../shared/operations/schema-shape.ts';
import { type IdSource, type Recipe, recipes } from './recipes.ts';

/** An id that a sample takes from the response of an earlier step. */
export class TakenId {
  /** As the request names it, such as `basket_id`. */
  readonly name: string;
  /** The operation whose response contains it. */
  readonly from: string;
  /** As the response names it. */
  readonly field: string;
  /** The list of the response whose first item has it; undefined if the response itself does. */
  readonly list: string | undefined;
  readonly isText: boolean;
  /** What is added to it. */
  readonly plusSeconds: number | undefined;

  constructor(name: string, { from, field = name, list: named, plusSeconds }: IdSource) {
    const response = recordedCall(operationOf(from))?.response ?? {};
    const firsts = Object.entries(response).map(([list, value]) => [list, Array.isArray(value) ? value[0] : undefined]);
    const [list, first] = firsts.find(([, item]) => isRecord(item) && field in item) ?? [];
    this.name = name;
    this.from = from;
    this.plusSeconds = plusSeconds;
    this.field = field;
    this.list = named ?? (field in response ? undefined : list);
    this.isText = typeof (field in response || !isRecord(first) ? response : first)[field] === 'string';
  }
}

export interface SampleStep {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string | TakenId>>;
  readonly query: Readonly<Record<string, string>>;
  /** With a `TakenId` in the place of each id. */
  readonly body: unknown;
  /** Whether it is called with the token of the fan. */
  readonly isOfFan: boolean;
}

/** Ids differ from one organisation to the next, so a sample contains none: it asks for the first one, or makes what it needs. */
const sources: Readonly<Record<string, IdSource>> = {
  customer_id: { from: 'list-customers', field: 'org_customer_id' },
  user_id: { from: 'list-customers' },
  event_id: { from: 'list-events' },
  price_id: { from: 'list-event-prices' },
  price_category_id: { from: 'create-price-category' },
  pool_id: { from: 'create-pool' },
  phase_id: { from: 'create-phase' },
  basket_id: { from: 'open-basket', field: 'id' },
  order_id: { from: 'list-orders' },
  refund_id: { from: 'refund-order' },
  barcode: { from: 'list-event-tickets' },
  membership_member_id: { from: 'list-members' },
  membership_category_id: { from: 'create-membership-category' },
  membership_type_id: { from: 'create-membership-type' },
  membership_payment_option_id: { from: 'create-membership-payment-option' },
  venue_id: { from: 'create-venue' },
  code_campaign_id: { from: 'create-code-campaign' },
  entry_id: { from: 'join-waiting-list' },
  webhook_endpoint_id: { from: 'create-webhook-endpoint' },
  delivery_id: { from: 'test-webhook-endpoint' },
  job_id: { from: 'cancel-event' },
  document_id: { from: 'list-documents' },
  seat_map_id: { from: 'create-seat-map' },
  ticket_id: { from: 'list-event-tickets' },
};

/** What changes an event or its prices. Their samples make an event of their own: one of the demo would be closed, moved or cancelled. */
const ofOwnEvent = [
  'update-event',
  'copy-event',
  'cancel-event',
  'create-price-category',
  'update-price-category',
  'create-pool',
  'update-pool',
  'create-price',
  'update-price',
  'create-phase',
  'update-phase',
  'delete-phase',
];

/** Operations for which another id is needed than the usual one. */
const otherSources: Readonly<Record<string, Readonly<Record<string, IdSource>>>> = {
  'apply-code': { code: { from: 'create-codes' } },
  'delete-code': { code: { from: 'create-codes' } },
  'list-sso-order-tickets': { order_id: { from: 'list-sso-orders' } },
  // What happened in the second of `unix_start` is not sent, and a replay of no second is refused.
  'replay-webhooks': { unix_start: { from: 'test-webhook-endpoint', field: 'created', plusSeconds: -60 } },
  ...Object.fromEntries(ofOwnEvent.map((id) => [id, { event_id: { from: 'create-event' }, ...ownPrice(id) }])),
};

/** A new event has no prices but those that the sample makes. */
function ownPrice(id: string): Readonly<Record<string, IdSource>> {
  return id === 'update-price' ? { price_id: { from: 'create-price' } } : {};
}

/** What must have been called before, although no id comes from it. */
const earlier: Readonly<Record<string, string>> = {
  'check-out-basket': 'add-basket-item',
  'prepare-payment': 'add-basket-item',
  'remove-basket-item': 'add-basket-item',
  'update-basket-line': 'add-basket-item',
  'remove-basket-line': 'add-basket-item',
  'apply-code': 'add-basket-item',
  'remove-code': 'apply-code',
  // It publishes the event.
  'update-event': 'create-price',
  // A fan is linked to one customer at a time.
  'link-sso-user': 'unlink-sso-user',
};

/** The calls of a sample: the recorded call of the operation, after those that it depends on. */
export function sampleSteps(operation: Operation): readonly SampleStep[] {
  const steps = new Map<string, SampleStep>();
  const recipe = recipes.find(({ operations: some }) => some.includes(operation.id));
  const add = (id: string): void => {
    if (steps.has(id)) return;
    const before = recipe?.earlier?.[id] ?? earlier[id];
    if (before !== undefined) add(before);
    const step = stepOf(operationOf(id), recipe);
    for (const { from } of takenIds(step)) add(from);
    steps.set(id, step);
  };
  add(operation.id);
  return [...steps.values()];
}

/** The ids that a step takes from the steps before it. */
export function takenIds({ params, body }: SampleStep): readonly TakenId[] {
  const inside = (value: unknown): readonly TakenId[] => {
    if (value instanceof TakenId) return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(inside) : [];
  };
  return [...inside(params), ...inside(body)];
}

function stepOf(operation: Operation, recipe: Recipe | undefined): SampleStep {
  const { params = {}, query = {}, body }: Partial<RecordedCall> = recordedCall(operation) ?? {};
  const other = recipe?.bodies?.[operation.id];
  const taken = (name: string): TakenId | undefined => {
    const source = recipe?.sources[name] ?? otherSources[operation.id]?.[name] ?? sources[name];
    return source && new TakenId(name, source);
  };
  const withoutIds = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withoutIds);
    if (!isRecord(value)) return inTheFuture(value);
    // A code is unique, so a sample with one could run only once.
    const fields = Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .filter(([name]) => name !== 'code' || taken(name) !== undefined);
    return Object.fromEntries(fields.map(([name, inner]) => [name, taken(name) ?? withoutIds(inner)]));
  };
  const named = Object.entries(params).map(([name, value]) => [name, taken(name) ?? value] as const);
  return {
    operation,
    params: Object.fromEntries(named),
    // A list is asked for all of its items: the recorded id would find none.
    query: Object.fromEntries(Object.entries(query).filter(([name]) => taken(name) === undefined)),
    body: withoutIds(other ? { ...body, ...other } : body),
    isOfFan: needsFanToken(operation) || (recipe?.ofFan?.includes(operation.id) ?? false),
  };
}

const sampleYear = 2090;
const yearSeconds = 365.25 * 86_400;

/** Times of recorded calls pass, and `npm run clock` moves time: a sample sells what begins in many years. */
function inTheFuture(value: unknown): unknown {
  if (typeof value === 'string' && /^20\d\d-\d\d-\d\dT/.test(value)) return `${sampleYear}${value.slice(4)}`;
  const isUnix = typeof value === 'number' && value > 1.7e9 && value < 2e9;
  return isUnix ? value + (sampleYear - 2026) * yearSeconds : value;
}

function operationOf(id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`There is no operation ${id}.`);
  return found;
}
