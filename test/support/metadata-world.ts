import { writeOrder } from '../../shared/data/orders/write.ts';
import type { Table } from '../../shared/data/table/table.ts';
import type { Handle } from '../../shared/http/pipeline.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../tools/fixtures/customers.ts';
import { aMember, givenMembers } from '../../tools/fixtures/members.ts';
import { anOrder } from '../../tools/fixtures/orders.ts';
import { givenStorefrontToken, shopOrigin } from '../../tools/fixtures/storefront.ts';
import { callOperation, type OperationCall, type OperationResponse } from './call-operation.ts';

const nowMs = Date.UTC(2026, 10, 7, 12);

type Fields = Readonly<Record<string, unknown>>;
type Changes = Partial<OperationCall>;

/** A resource with metadata, and how its own operation changes it. */
export interface WithMetadata {
  set(change: unknown, changes?: Changes): Promise<OperationResponse>;
  shown(): Promise<unknown>;
}

/** An organisation with one of everything that has metadata. */
export async function givenMetadataWorld(table: Table, orgId: string) {
  await givenOrganisation(table, orgId);
  const { text: bearer } = await givenKey(table, orgId);
  const { text: token } = await givenStorefrontToken(table, orgId, { nowUnix: nowMs / 1000 });
  let calls = 0;
  const call = async (id: string, changes: Changes = {}) => {
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const { handle }: { handle: Handle<Operation> } = await import(
      `../../functions/api/${operation.resource}/${id}.ts`
    );
    // A second later each time: a key has limits, and the feed is in the order of time.
    calls += 1;
    return callOperation(operation, handle, { table, nowMs: nowMs + calls * 1_000, bearer, ...changes });
  };
  const made = async (id: string, changes: Changes): Promise<Fields> => {
    const { status, body } = await call(id, changes);
    if (status >= 300) throw new Error(`${id}: ${JSON.stringify(body)}`);
    return body;
  };
  const page = { bearer: token, headers: { Origin: shopOrigin } };
  const event = await made('create-event', {
    body: { title: 'Final', utc_event_start_date: '2026-12-31T09:30:00Z', currency: 'AUD', event_status_id: 1 },
  });
  const params = { event_id: String(event.event_id) };
  const stand = await made('create-price-category', { params, body: { title: 'Stand' } });
  const adult = { price_category_id: stand.price_category_id, title: 'Adult', price: 20, capacity: 50 };
  const price = await made('create-price', { params, body: adult });
  const category = await made('create-membership-category', { body: { title: 'Season' } });
  const typeBody = { membership_category_id: category.membership_category_id, title: 'Full', price: 90 };
  const type = await made('create-membership-type', { body: typeBody });
  const customer = await givenCustomer(table, orgId, { orgCustomerId: 'C-1', firstName: 'Ada' });
  const member = aMember({ userId: customer.userId, firstName: 'Ada', memberNumber: '0007' });
  await givenMembers(table, orgId, [member]);

  const order = anOrder({ eventId: Number(event.event_id), userId: customer.userId });
  await writeOrder(table, orgId, order);

  const listed = async (id: string, changes: Changes = {}): Promise<Fields> => {
    const { data } = await made(id, changes);
    return Array.isArray(data) ? data[0] : {};
  };
  const resource = (id: string, ofSet: Record<string, string>, read: () => Promise<Fields>): WithMetadata => ({
    set: (metadata, changes) => call(id, { params: ofSet, body: { metadata }, ...changes }),
    shown: async () => (await read()).metadata,
  });
  const ofPrice = { ...params, price_id: String(price.price_id) };
  const ofMember = { membership_member_id: String(member.memberId) };
  const resources = {
    event: resource('update-event', params, () => made('retrieve-event', { params })),
    price: resource('update-price', ofPrice, () => listed('list-event-prices', { params })),
    'membership type': resource('update-membership-type', { membership_type_id: String(type.membership_type_id) }, () =>
      listed('list-membership-types'),
    ),
    'membership category': resource(
      'update-membership-category',
      { membership_category_id: String(category.membership_category_id) },
      () => listed('list-membership-categories'),
    ),
    customer: resource('set-customer-metadata', { customer_id: 'C-1' }, () => listed('list-customers')),
    order: resource('set-order-metadata', { order_id: String(order.orderId) }, () =>
      listed('list-event-orders', { params }),
    ),
    member: resource('set-member-metadata', ofMember, () => made('retrieve-member', { params: ofMember })),
  };
  return { orgId, call, made, listed, page, params, price, customer, member, order, resources };
}

export type MetadataWorld = Awaited<ReturnType<typeof givenMetadataWorld>>;
