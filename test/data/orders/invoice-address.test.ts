import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { handle as checkOut } from '../../../functions/api/baskets/check-out-basket.ts';
import { handle as retrieve } from '../../../functions/api/orders/retrieve-order.ts';
import { handle as set } from '../../../functions/api/orders/set-invoice-address.ts';
import { eraseBuyer } from '../../../shared/data/admin/erase-buyer.ts';
import { entriesOfOrder } from '../../../shared/data/journal/read.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { buyersOf } from '../../../shared/domain/orders/invoice-address.ts';
import { checkOutBasket } from '../../../shared/operations/baskets/check-out-basket.ts';
import { retrieveOrder } from '../../../shared/operations/orders/retrieve-order.ts';
import { setInvoiceAddress } from '../../../shared/operations/orders/set-invoice-address.ts';
import { givenBasket, givenOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { callHandler, type HandlerCall } from '../../support/call-handler.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { anAddress } from '../../support/receipts.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { givenTickets } from '../../support/tickets.ts';

let table: Table;
vi.stubEnv('PAYMENTS', 'sandbox');
await givenStackSecret();
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const { taxId, ...sameNames } = anAddress;
const sent = { ...sameNames, tax_id: taxId };
const day = 86_400;

/** Two tickets, bought through the API. */
async function givenOrder(body: Record<string, unknown> = {}) {
  const deps = newCheckoutDeps(table);
  const { price } = await givenOnSale(table, deps.orgId);
  const { basketId } = await givenBasket(deps, price, 2);
  const call: HandlerCall = { table, orgId: deps.orgId, nowMs: deps.nowUnix * 1000 };
  const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
  const paid = { customer, payment_method: 'pm_card_visa', ...body };
  await callHandler(checkOutBasket, checkOut, { params: { basket_id: String(basketId) }, body: paid }, call);
  const params = { order_id: String(basketId) };
  return {
    deps,
    orderId: basketId,
    give: (address: Record<string, unknown>, afterSeconds = 60) =>
      callHandler(
        setInvoiceAddress,
        set,
        { params, body: address },
        { ...call, nowMs: (deps.nowUnix + afterSeconds) * 1000 },
      ),
    shown: async () => (await callHandler(retrieveOrder, retrieve, { params }, call)).invoice_address,
    kinds: async () => (await entriesOfOrder(table, deps.orgId, basketId)).map(({ kind }) => kind),
  };
}

describe('The invoice address of an order', () => {
  it('is given at the checkout and frozen in the order', async () => {
    const { shown, kinds, give, deps, orderId } = await givenOrder({ invoice_address: sent });
    expect(await shown()).toEqual(sent);
    expect(await kinds()).toEqual(['sale']);
    await expect(give({ company: 'Other' })).rejects.toMatchObject({ code: 'invoice_address_set' });
    const placed = await readOrderWithTickets(table, deps.orgId, orderId);
    expect(placed && buyersOf(placed.order, deps.nowUnix)).toEqual({ atSale: anAddress, later: null });
  });

  it('is given once later: the journal has an entry without lines, and the same again changes nothing', async () => {
    const { shown, kinds, give, deps, orderId } = await givenOrder();
    expect(await shown()).toBeNull();
    expect(await give(sent)).toEqual({ order_id: orderId, invoice_address: sent });
    expect(await give(sent, 70 * day)).toEqual({ order_id: orderId, invoice_address: sent });
    expect(await shown()).toEqual(sent);
    expect(await kinds()).toEqual(['sale', 'invoice_address']);
    await expect(give({ ...sent, tax_id: null })).rejects.toMatchObject({ code: 'invoice_address_set' });
    const placed = await readOrderWithTickets(table, deps.orgId, orderId);
    expect(placed && buyersOf(placed.order, deps.nowUnix + day)).toEqual({ atSale: null, later: anAddress });
  });

  it('is refused after 60 days, and for an order of which everything is refunded', async () => {
    const { give, kinds } = await givenOrder();
    await expect(give(sent, 60 * day)).rejects.toMatchObject({ code: 'invoice_address_closed' });
    const other = await givenOrder();
    await refundOrder(other.deps, { orderId: other.orderId, tickets: 'all' });
    await expect(other.give(sent)).rejects.toMatchObject({ code: 'invoice_address_closed' });
    expect(await kinds()).toEqual(['sale']);
  });

  it('names a company or a person and a country that exists', async () => {
    const { give } = await givenOrder();
    await expect(give({ ...sent, country: 'QQ' })).rejects.toMatchObject({ details: [{ param: 'country' }] });
    await expect(give({ city: 'Melbourne', name: ' ' })).rejects.toMatchObject({ details: [{ param: 'company' }] });
    await expect(givenOrder({ invoice_address: { name: 'Ada', country: 'XX' } })).rejects.toMatchObject({
      details: [{ param: 'invoice_address.country' }],
    });
    expect(await give({ name: 'Ada Lovelace' }, 60 * day - 1)).toMatchObject({
      invoice_address: { name: 'Ada Lovelace' },
    });
  });

  it('is set by the fan who bought it, and the order of somebody else looks missing', async () => {
    const { placed, by } = await givenTickets(table);
    const params = { order_id: String(placed.orderId) };
    const call = (fan: string) => ({ ...by(fan), nowMs: placed.placedUnix * 1000 });
    const give = (fan: string) => callHandler(setInvoiceAddress, set, { params, body: sent }, call(fan));
    await expect(give('grace')).rejects.toMatchObject({ details: [{ code: 'resource_not_found' }] });
    expect(await give('ada')).toMatchObject({ invoice_address: sent });
  });

  it('is erased with the buyer', async () => {
    const { deps, orderId } = await givenOrder({ invoice_address: sent });
    await eraseBuyer(table, { orgId: deps.orgId, orderId, nowUnix: deps.nowUnix });
    const placed = await readOrderWithTickets(table, deps.orgId, orderId);
    expect(placed?.order.invoiceAddress).toBeUndefined();
  });
});
