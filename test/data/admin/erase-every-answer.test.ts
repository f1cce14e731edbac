import '../../support/streaming-runtime.ts';

import { describe, expect, it, vi } from 'vitest';
import { openBasket } from '../../../shared/data/baskets/baskets.ts';
import { writeOrder } from '../../../shared/data/orders/write.ts';
import { takeStock } from '../../../shared/data/prices/stock.ts';
import { operations } from '../../../shared/operations/registry.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { endpointIdOf, givenContractEndpoint } from '../../../tools/fixtures/contract/webhook-fixture.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { givenEvent } from '../../../tools/fixtures/events.ts';
import { anOrder, aTicket } from '../../../tools/fixtures/orders.ts';
import { givenSeatMap } from '../../../tools/fixtures/seat-maps.ts';
import { documentOf, givenAdmin } from '../../support/admin.ts';
import { checkoutDepsOf, givenBasket, givenOnSale, noonUnix } from '../../support/baskets.ts';
import { callOperation } from '../../support/call-operation.ts';
import { handleOf } from '../../support/operation-handles.ts';
import { withoutPeople } from '../../support/operations-without-people.ts';
import { buyInInstalments, givenTypeInInstalments } from '../../support/plans.ts';
import { readEverything } from '../../support/read-everything.ts';
import { withdrawAndRefuse } from '../../support/refused-withdrawal.ts';
import { givenSeatedEvent } from '../../support/seats.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { withdrawalsOf } from '../../support/withdrawals.ts';

vi.stubEnv('PAYMENTS', 'sandbox');

await givenStackSecret();

const nowMs = noonUnix * 1000;
const { table, admin } = await givenAdmin(() => nowMs);
const orgId = await givenOrganisation(table, 'org_answers');
const { key: bearer, ask } = await withdrawalsOf(checkoutDepsOf(table, orgId));

/** Of the person: the names, the address, and what staff wrote about the person. */
const traces = /quixley|xanthippe|trace street|0499 111|her broken leg/gi;
const tracesIn = (answer: unknown): string[] => [
  ...new Set(
    JSON.stringify(answer)
      .match(traces)
      ?.map((trace) => trace.toLowerCase()),
  ),
];

interface Request {
  readonly id: string;
  readonly params?: Record<string, string>;
  readonly body?: object;
  readonly idempotencyKey: string;
}

async function send({ id, ...request }: Request) {
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  const response = await callOperation(operation, handleOf(operation), { table, nowMs, bearer, ...request });
  if (response.status >= 300) throw new Error(JSON.stringify(response.body));
  return response.body;
}

describe('customer erase', () => {
  it('leaves nothing that a person typed, or staff typed about the person, in the answer of any operation', async () => {
    const names = { first_name: 'Xanthippe', last_name: 'Quixley' };
    const emailAddress = 'quixley@trace.example';
    const buyer = { firstName: 'Xanthippe', lastName: 'Quixley', emailAddress };
    const { event, price } = await givenOnSale(table, orgId);
    const { userId } = await givenCustomer(table, orgId, { orgCustomerId: 'C-1', ...buyer, mobileNumber: '0499 111' });
    await givenContractEndpoint(table, orgId);
    const deps = checkoutDepsOf(table, orgId);
    const { basketId } = await givenBasket(deps, price, 2);
    const ticket = () => aTicket({ priceId: price.priceId, priceIndex: price.index });
    const placed = { eventId: event.eventId, userId: null };
    /** Imported without a customer: the person's own, and one of nobody. */
    const unlinked = anOrder({ ...placed, ...buyer, tickets: [ticket()] });
    const anonymous = anOrder({ ...placed, firstName: null, lastName: null, emailAddress: null, tickets: [ticket()] });
    for (const order of [unlinked, anonymous]) {
      await writeOrder(table, orgId, order, { callerItems: () => [takeStock(table, orgId, price, 1)] });
    }

    const sent: Request[] = [];
    const first = (request: Request) => {
      sent.push(request);
      return send(request);
    };
    const ofOrder = (orderId: number) => ({ order_id: String(orderId) });
    const reason = 'Xanthippe cannot come because of her broken leg';
    await first({
      id: 'add-basket-item',
      params: { basket_id: String(basketId) },
      body: { price_id: String(price.priceId), quantity: 1, holders: [names] },
      idempotencyKey: 'add',
    });
    const effect = { kind: 'percent', value: 10 };
    const { code_campaign_id: campaignId } = await send({
      id: 'create-code-campaign',
      body: { title: 'Early birds', effect },
      idempotencyKey: 'campaign',
    });
    const ofCampaign = { code_campaign_id: String(campaignId) };
    await send({ id: 'create-codes', params: ofCampaign, body: { code: 'EARLY10' }, idempotencyKey: 'code' });
    await first({
      id: 'apply-code',
      params: { basket_id: String(basketId) },
      body: { code: 'early10' },
      idempotencyKey: 'apply',
    });
    const { tickets } = await first({
      id: 'check-out-basket',
      params: { basket_id: String(basketId) },
      body: { customer: { email: emailAddress, ...names }, payment_method: 'pm_card_visa' },
      idempotencyKey: 'buy',
    });
    const { basketId: seatedId } = await openBasket(table, deps);
    const { price: seatPrice } = await givenSeatedEvent(table, orgId);
    await first({
      id: 'add-basket-seats',
      params: { basket_id: String(seatedId) },
      body: { items: [{ price_id: String(seatPrice.priceId), quantity: 1, holders: [names] }] },
      idempotencyKey: 'sit',
    });
    await first({
      id: 'check-out-basket',
      params: { basket_id: String(seatedId) },
      body: { customer: { email: emailAddress, ...names }, payment_method: 'pm_card_visa' },
      idempotencyKey: 'buy seats',
    });
    const [{ barcode } = { barcode: '' }] = tickets as readonly { readonly barcode: string }[];
    const { memberId } = await buyInInstalments(deps, await givenTypeInInstalments(deps), { buyer });
    await first({
      id: 'create-member',
      body: { user_id: String(userId), ...names, address: 'Trace Street 1' },
      idempotencyKey: 'join',
    });
    await first({
      id: 'record-consent',
      params: { customer_id: 'C-1' },
      body: { purpose: 'news', channel: 'email', given: true, text_version: 'Xanthippe agreed by telephone' },
      idempotencyKey: 'agree',
    });
    const { withdrawalId } = await withdrawAndRefuse(deps, { buyer, reason, ask, send: first });
    const { event: soldOut, price: last } = await givenOnSale(table, orgId, { capacity: 1 });
    await givenBasket(deps, last, 1);
    const { entry_id } = await first({
      id: 'join-waiting-list',
      params: { event_id: String(soldOut.eventId) },
      body: { price_id: String(last.priceId), quantity: 1, email: emailAddress },
      idempotencyKey: 'wait',
    });
    await first({
      id: 'confirm-waiting-list-entry',
      params: { event_id: String(soldOut.eventId), entry_id: String(entry_id) },
      body: {},
      idempotencyKey: 'confirm',
    });
    // Its event has the name, too.
    await send({
      id: 'update-ticket',
      params: { ticket_id: String(basketId + 1) },
      body: { holder: { ...names, last_name: 'Quixley-Trace' } },
      idempotencyKey: 'only for POST',
    });
    await first({
      id: 'record-scan',
      params: { event_id: String(event.eventId) },
      body: { barcode, direction: 'in' },
      idempotencyKey: 'enter',
    });
    // Somebody gives the person a ticket.
    const offer = (idempotencyKey: string) =>
      first({
        id: 'transfer-ticket',
        params: { ticket_id: String(anonymous.orderId + 1) },
        body: { email: emailAddress },
        idempotencyKey,
      });
    const { accept_token, transfer_id } = await offer('offer');
    await first({
      id: 'accept-transfer',
      params: { transfer_id: String(transfer_id) },
      body: { accept_token, ...names },
      idempotencyKey: 'accept',
    });
    const again = await offer('offer again');
    await first({
      id: 'cancel-transfer',
      params: { transfer_id: String(again.transfer_id) },
      body: {},
      idempotencyKey: 'keep',
    });
    const refund = (orderId: number, body: object) =>
      first({ id: 'refund-order', params: ofOrder(orderId), body, idempotencyKey: `refund ${orderId}` });
    await refund(basketId, { reason, ticket_ids: [basketId + 1] });
    await executeRefunds(deps, basketId);
    await refund(unlinked.orderId, { reason });
    await refund(anonymous.orderId, { reason: 'It rained' });
    await first({ id: 'cancel-order', params: ofOrder(basketId), body: {}, idempotencyKey: 'cancel' });
    const { eventId: calledOff } = await givenEvent(table, orgId);
    const { job_id: jobId } = await first({
      id: 'cancel-event',
      params: { event_id: String(calledOff) },
      body: { refund: 'none', reason: 'It rained' },
      idempotencyKey: 'call off',
    });
    // preview-transfer stores no answer, and shows nothing of an offer that has ended.
    const posts = operations.filter(
      ({ method, id }) => method === 'POST' && !withoutPeople.has(id) && id !== 'preview-transfer',
    );
    expect(posts.map(({ id }) => id).sort()).toEqual([...new Set(sent.map(({ id }) => id))].sort());

    const ids = {
      event_id: [String(event.eventId)],
      order_id: [basketId, unlinked.orderId].map(String),
      basket_id: [String(basketId)],
      ticket_id: [basketId + 1, anonymous.orderId + 1].map(String),
      customer_id: ['C-1'],
      membership_member_id: [String(memberId)],
      webhook_endpoint_id: [endpointIdOf(orgId)],
      job_id: [String(jobId)],
      code_campaign_id: [String(campaignId)],
      withdrawal_id: [withdrawalId],
      seat_map_id: [String((await givenSeatMap(table, orgId)).seatMapId)],
    };
    const before = await readEverything(deps, ids);
    for (const id of ['list-order-refunds', 'list-webhook-events']) {
      expect(tracesIn(before.get(id))).toContain('her broken leg');
    }
    for (const id of [
      'retrieve-customer',
      'retrieve-member',
      'retrieve-order',
      'retrieve-ticket',
      'list-event-scans',
      'list-orders',
    ]) {
      expect(tracesIn(before.get(id))).toContain('xanthippe');
    }
    const exported = await documentOf(admin, 'customer', 'export', orgId, 'C-1');
    expect(tracesIn(exported.stored_responses)).toContain('her broken leg');

    await documentOf(admin, 'customer', 'erase', orgId, 'C-1', '--yes');
    for (const [id, answer] of await readEverything(deps, ids))
      expect({ id, left: tracesIn(answer) }).toEqual({ id, left: [] });
    for (const request of sent) {
      const { id, idempotencyKey } = request;
      const left = tracesIn(await send(request));
      expect({ id, idempotencyKey, left }).toEqual({ id, idempotencyKey, left: [] });
    }
    // The reason of a refund of somebody else stays.
    const after = await readEverything(deps, { ...ids, order_id: [String(anonymous.orderId)] });
    for (const id of ['list-order-refunds', 'list-webhook-events']) {
      expect(JSON.stringify(after.get(id))).toContain('It rained');
    }
    const others = sent.find(({ idempotencyKey }) => idempotencyKey === `refund ${anonymous.orderId}`);
    expect(others && (await send(others))).toMatchObject({ reason: 'It rained' });
  });
});
