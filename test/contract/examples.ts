import type { Table } from '../../shared/data/table/table.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import {
  basketIdOf,
  customerIdOf,
  eventIdOf,
  givenFanLink,
  memberIdOf,
  nextBasketId,
  nextOrderId,
  orderIdOf,
  priceIdOf,
  userIdOf,
} from './contract-fixture.ts';
import { deliveryIdOf, endpointIdOf, givenContractEndpoint } from './webhook-fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a schema cannot provide: ids of existing objects of an organisation, and the smallest accepted query and body.
 */
interface Example {
  readonly params?: (orgId: string) => Record<string, string>;
  readonly query?: Record<string, string>;
  /** The body as JSON; `formOf` converts it to a form. */
  readonly body?: (orgId: string) => Fields;
  /** The body with a storefront token, if it is another one. */
  readonly shopBody?: Fields;
  /** Response fields that differ with every call, because each call creates something. */
  readonly generated?: readonly string[];
  /** Restores what an earlier call may have used up. */
  readonly before?: (table: Table, orgId: string) => Promise<void>;
}

const ofEvent: Example = { params: (orgId) => ({ event_id: String(eventIdOf(orgId)) }) };
const memberParams = (orgId: string) => ({ membership_member_id: String(memberIdOf(orgId)) });

const endpointParams = (orgId: string) => ({ webhook_endpoint_id: endpointIdOf(orgId) });
const ofEndpoint: Example = { params: endpointParams, before: givenContractEndpoint };
/** An operation that changes a basket needs a new one for each call. */
const newBasket = (orgId: string) => ({ basket_id: String(nextBasketId(orgId)) });

/** An operation that ends an order needs a new one for each call. */
const newOrder = (orgId: string) => ({ order_id: String(nextOrderId(orgId)) });

const examples: Readonly<Record<string, Example>> = {
  'add-basket-item': {
    params: newBasket,
    body: (orgId) => ({ price_id: String(priceIdOf(orgId)), quantity: 1 }),
    generated: ['id'],
  },
  'cancel-basket': { params: (orgId) => ({ basket_id: String(basketIdOf(orgId)) }) },
  'check-out-basket': {
    params: newBasket,
    body: () => ({
      customer: { email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper' },
      payment_method: 'pm_card_visa',
    }),
    generated: ['id', 'order_id', 'order_uuid', 'tickets'],
  },
  'prepare-payment': {
    params: newBasket,
    body: () => ({ customer: { email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper' } }),
    generated: ['payment'],
  },
  'create-member': {
    body: (orgId) => ({ user_id: String(userIdOf(orgId)), first_name: 'Ada', last_name: 'Lovelace' }),
    generated: ['member_id'],
  },
  'create-webhook-endpoint': {
    body: () => ({ url: 'https://hooks.example.com/gateline' }),
    generated: ['webhook_endpoint_id', 'secret', 'created'],
    before: givenContractEndpoint,
  },
  'delete-webhook-endpoint': ofEndpoint,
  'event-sales-summary': ofEvent,
  'event-stats-by-price': ofEvent,
  'event-stats-by-price-category': ofEvent,
  'fulfil-members': { body: (orgId) => ({ members: [{ membership_member_id: memberIdOf(orgId) }] }) },
  'list-event-orders': ofEvent,
  'list-event-prices': ofEvent,
  'list-webhook-deliveries': ofEndpoint,
  'list-event-scans': ofEvent,
  'list-event-tickets': ofEvent,
  'list-members': { query: { limit: '5' } },
  'list-sso-order-tickets': { params: (orgId) => ({ order_id: String(orderIdOf(orgId)) }) },
  'link-sso-user': {
    body: (orgId) => ({ user_id: String(userIdOf(orgId)) }),
    shopBody: {},
    before: givenFanLink,
  },
  'unlink-sso-user': { before: givenFanLink },
  'redeliver-webhook': {
    ...ofEndpoint,
    params: (orgId) => ({ ...endpointParams(orgId), delivery_id: deliveryIdOf(orgId) }),
  },
  'replay-webhooks': {
    ...ofEndpoint,
    body: () => ({ unix_start: 1_700_000_000 }),
    generated: ['webhook_replay_id', 'unix_end', 'created'],
  },
  'record-scan': { ...ofEvent, body: () => ({ barcode: 'unknown' }), generated: ['scan'] },
  'retrieve-customer': { params: (orgId) => ({ customer_id: customerIdOf(orgId) }) },
  'retrieve-event': ofEvent,
  'retrieve-member': { params: memberParams },
  'retrieve-webhook-endpoint': ofEndpoint,
  'rotate-webhook-secret': ofEndpoint,
  'test-webhook-endpoint': ofEndpoint,
  'update-webhook-endpoint': { ...ofEndpoint, body: () => ({ description: 'Warehouse' }), generated: ['updated_at'] },
  'set-tracking-code': { params: memberParams, body: () => ({ fulfillment_tracking_code: 'AB1' }) },
  'open-basket': { body: (orgId) => ({ org: orgId }), generated: ['id', 'expires_at'] },
  'remove-basket-item': { params: (orgId) => ({ ...newBasket(orgId), price_id: String(priceIdOf(orgId)) }) },
  'retrieve-basket': { params: newBasket },
  'cancel-order': { params: newOrder, generated: ['order_id', 'order_uuid', 'tickets'] },
  'list-order-refunds': { params: (orgId) => ({ order_id: String(orderIdOf(orgId)) }) },
  'refund-order': { params: newOrder, generated: ['refund_id', 'order_id', 'ticket_ids', 'created'] },
  'retrieve-order': { params: (orgId) => ({ order_id: String(orderIdOf(orgId)) }) },
  probe: { params: (orgId) => ({ probe_id: `probe-of-${orgId}` }), body: () => ({ name: 'Ada' }) },
};

export function paramsOf(operation: Operation, orgId: string): Record<string, string> {
  const params = examples[operation.id]?.params?.(orgId) ?? {};
  const missing = Object.keys(operation.input.params.entries).filter((name) => !(name in params));
  if (missing.length > 0) throw new Error(`Give ${operation.id} an example of ${missing.join(', ')} in examples.ts.`);
  return params;
}

export function queryOf(operation: Operation): Record<string, string> {
  return examples[operation.id]?.query ?? {};
}

export function bodyOf(operation: Operation, orgId: string): Fields {
  return examples[operation.id]?.body?.(orgId) ?? {};
}

/** The body that a web page sends. */
export function shopBodyOf(operation: Operation, orgId: string): Fields {
  return examples[operation.id]?.shopBody ?? bodyOf(operation, orgId);
}

export async function prepare(operation: Operation, table: Table, orgId: string): Promise<void> {
  await examples[operation.id]?.before?.(table, orgId);
}

/** The response without the fields that differ from call to call. */
export function withoutGenerated(operation: Operation, body: unknown): unknown {
  const generated = examples[operation.id]?.generated ?? [];
  return Object.fromEntries(Object.entries(Object(body)).filter(([name]) => !generated.includes(name)));
}

/** Encodes fields as a form does: `members[0][membership_member_id]=7`, and an empty value for null. */
export function formOf(fields: Fields): string {
  const pairs = (value: unknown, name: string): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => pairs(inner, `${name}[${key}]`))
      : [[name, value === null ? '' : String(value)]];
  return new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => pairs(value, name))).toString();
}

export const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** The content type of the body of an example, for a request that sets its own headers. */
export function formHeader(operation: Operation): Record<string, string> {
  return Object.keys(bodyOf(operation, '')).length === 0 ? {} : formType;
}

export function pathOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
}
