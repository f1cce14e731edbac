import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/tickets/cancel-own-ticket.ts';
import { updatePrice } from '../../../shared/catalogue/save-price.ts';
import { changeEvent } from '../../../shared/data/events/save.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { cancelOwnTicket as operation } from '../../../shared/operations/tickets/cancel-own-ticket.ts';
import { executeRefunds } from '../../../shared/sales/checkout/sweep-basket.ts';
import { requestRefund } from '../../../shared/sales/refunds/request-refund.ts';
import {
  farFutureUnix,
  givenEvent,
  givenPrice,
  givenPriceCategory,
  kickOffUnix,
} from '../../../tools/fixtures/events.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { findingsOf } from '../../support/audit.ts';
import {
  chargesOf,
  checkOutWith,
  givenBasket,
  givenOnSale,
  newCheckoutDeps,
  type TestCheckoutDeps,
} from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { comparable } from '../../support/comparable-items.ts';
import { cash, givenCounterSale } from '../../support/counter.ts';
import { eventsOf } from '../../support/faults/refund-crash-scenario.ts';
import { actionsOf, bought, refusal, terms } from '../../support/own-tickets.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { givenTickets } from '../../support/tickets.ts';

let table: Table;
beforeAll(async () => {
  await givenStackSecret();
  ({ table } = await createTestTable());
});

describe('cancel-own-ticket', () => {
  it('returns what the ticket cost less the kept share, exactly as dry_run has said, and the place is on sale again', async () => {
    const { deps, orderId, ticketId, quote, cancel, execute, statuses, free, rows } = await bought(table);
    const before = await rows();
    const until = farFutureUnix - 24 * 3_600;
    const quoted = await quote();
    // 10 percent of 32.15 are 3.215: what is kept is rounded down.
    expect(quoted).toMatchObject({ amountMinor: 2_894, keptMinor: 321, untilUnix: until, refund: null });
    expect(await rows()).toEqual(before);
    const cancelled = await cancel();
    expect(cancelled).toMatchObject({ amountMinor: 2_894, keptMinor: 321, refund: { state: 'pending' } });
    expect(await cancel()).toEqual(refusal('refund_in_progress'));
    await execute();
    expect(await statuses()).toEqual([3, 1]);
    expect(await free()).toBe(9);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 2_894 }]);
    const types = (await eventsOf(deps)).map(({ type }) => type);
    expect(types).toEqual(['order.completed', 'order.refunded']);
    expect(await cancel()).toEqual(refusal('refunded'));
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    // The other ticket is the last of the order.
    expect(await cancel({ ticketId: ticketId + 1 })).toMatchObject({ amountMinor: 2_894, keptMinor: 321 });
    await executeRefunds(deps, orderId);
    expect(await statuses()).toEqual([3, 3]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('the terms are those of the sale: a changed price changes nothing for who has bought, or has it in the basket', async () => {
    const { deps, price, quote } = await bought(table);
    const { basketId } = await givenBasket(deps, price);
    const change = { selfCancel: null };
    const ref = { eventId: price.eventId, index: price.index };
    expect(await updatePrice(table, deps.orgId, ref, { change, ifMatch: undefined })).toMatchObject({
      price: { selfCancel: null },
    });
    expect(await quote()).toMatchObject({ amountMinor: 2_894 });
    expect((await checkOutWith(deps, basketId)).outcome).toBe('confirmed');
    expect(await (await actionsOf(deps, price, basketId)).quote()).toMatchObject({ amountMinor: 2_894 });
    const { basketId: later } = await givenBasket(deps, price);
    expect((await checkOutWith(deps, later)).outcome).toBe('confirmed');
    expect(await (await actionsOf(deps, price, later)).quote()).toEqual(refusal('not_allowed'));
  });

  it('is refused after the hour, also when the event was moved, and for an event that was cancelled', async () => {
    const { deps, price, quote, cancel, rows } = await bought(table);
    deps.nowUnix = farFutureUnix - 24 * 3_600;
    const before = await rows();
    expect(await cancel()).toEqual({ refusal: { reason: 'too_late', hours: 24 } });
    deps.nowUnix -= 1;
    expect(await quote()).toMatchObject({ amountMinor: 2_894 });
    expect(await rows()).toEqual(before);
    const move = (startUnix: number) => (event: Parameters<Parameters<typeof changeEvent>[3]>[0]) => ({
      ...event,
      startUnix,
    });
    await changeEvent(table, deps.orgId, price.eventId, move(farFutureUnix - 3_600));
    expect(await cancel()).toEqual(refusal('too_late'));
    await changeEvent(table, deps.orgId, price.eventId, move(farFutureUnix + 86_400));
    expect(await quote()).toMatchObject({ untilUnix: farFutureUnix });
    await changeEvent(table, deps.orgId, price.eventId, (event) => ({ ...event, cancelledUnix: 1, statusId: 3 }));
    expect(await cancel()).toEqual(refusal('event_cancelled'));
  });

  it('is refused for what was scanned, offered, given away, cancelled or is being refunded by staff, and writes nothing', async () => {
    const scanned = await bought(table);
    expect(await scanned.scan()).toBe('ok');
    const offered = await bought(table);
    expect(await offered.offer()).toHaveProperty('offer');
    const refunded = await bought(table);
    const wanted = { orderId: refunded.orderId, tickets: [refunded.ticketId], reason: null } as const;
    expect(await requestRefund(refunded.deps, wanted, () => [])).toMatchObject({ outcome: 'recorded' });
    const stranger = await bought(table);
    for (const [reason, given, changes] of [
      ['scanned', scanned, {}],
      ['offer_pending', offered, {}],
      ['refund_in_progress', refunded, {}],
      ['not_bought', stranger, { fanId: 1 }],
    ] as const) {
      const before = await given.rows();
      expect(await given.cancel(changes)).toEqual(refusal(reason));
      expect(await given.cancel({ ...changes, dryRun: true })).toEqual(refusal(reason));
      expect(await given.rows(), reason).toEqual(before);
    }
  });

  it('is neither admitted nor given away while the refund is under way', async () => {
    const { cancel, scan, offer, execute } = await bought(table);
    await cancel();
    expect(await scan()).toBe('cancelled');
    expect(await offer()).toEqual(refusal('not_active'));
    await execute();
    expect(await scan()).toBe('refunded');
  });

  it('is exactly as it was if the payment provider refuses the refund', async () => {
    const { deps, cancel, execute, row, statuses, scan } = await bought(table, { paymentMethod: 'pm_card_refundFail' });
    const { v: _, ...before } = (await row()) ?? {};
    await cancel();
    expect(await row()).toHaveProperty('ends');
    await execute();
    const { v: __, ...after } = (await row()) ?? {};
    expect(after).toEqual(before);
    expect(await statuses()).toEqual([1, 1]);
    expect((await eventsOf(deps)).map(({ type }) => type)).toEqual(['order.completed', 'order.refund_failed']);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
    expect(await scan()).toBe('ok');
  });

  it.each<[string, number, number, [number, number]]>([
    ['KWD', 1_000, 33, [330, 670]],
    ['JPY', 1_055, 10, [105, 950]],
    ['AUD', 999, 33.333, [332, 667]],
  ])('keeps in %s what can be charged and returned there', async (currency, priceMinor, keepPercent, [kept, back]) => {
    const onSale = async ({ orgId }: TestCheckoutDeps) => {
      const event = await givenEvent(table, orgId, { currency });
      const { eventId } = event;
      const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
      const fees = { rebateMinor: 0, serviceFeeMinor: 0, serviceTaxMinor: 0 };
      const selfCancel = { untilHours: 0, keepPercent };
      const price = await givenPrice(table, orgId, {
        eventId,
        categoryId,
        currency,
        priceMinor,
        ...fees,
        selfCancel,
      });
      return { event, price };
    };
    const { deps, quote, cancel, execute } = await bought(table, { onSale });
    expect(await quote()).toMatchObject({ amountMinor: back, keptMinor: kept });
    expect(await cancel()).toMatchObject({ amountMinor: back, keptMinor: kept });
    await execute();
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: back }]);
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it.each([
    ['cash', cash, { amountMinor: 2_894, keptMinor: 321 }, { awaitsReturn: true, state: 'pending' }],
    [
      'complimentary',
      { ...cash, kind: 'complimentary', reason: 'Friends' } as const,
      { amountMinor: 0, keptMinor: 0 },
      { state: 'done' },
    ],
    ['invoice', { ...cash, kind: 'invoice', dueUnix: kickOffUnix } as const, { amountMinor: 0, keptMinor: 0 }, {}],
  ])('of an order that was paid with %s the ticket ends at once', async (kind, tender, amounts, refund) => {
    const status = kind === 'cash' ? 2 : 3;
    const deps = newCheckoutDeps(table);
    const { price } = await givenOnSale(table, deps.orgId, { capacity: 10, ...terms });
    const { placed } = await givenCounterSale(deps, price, { quantity: 2, tender });
    const { quote, cancel, statuses, free, scan } = await actionsOf(deps, price, placed.order.orderId);
    expect(await quote()).toMatchObject(amounts);
    expect(await cancel()).toMatchObject({ ...amounts, refund });
    expect((await statuses())?.[0]).toBe(status);
    expect(await free()).toBe(9);
    expect(await scan()).toBe(status === 2 ? 'cancelled' : 'refunded');
    expect(await cancel()).toEqual(refusal(status === 2 ? 'cancelled' : 'refunded'));
    expect(await findingsOf(table, deps.orgId)).toEqual([]);
  });

  it('needs the token of the buyer, and answers 409 to whoever has given the ticket away or was given it', async () => {
    const given = await givenTickets(table, {});
    const params = { ticket_id: String(given.ticketId) };
    const cancelAs = (fan?: string) => callHandler(operation, handle, { params, body: {} }, given.by(fan));
    await expect(cancelAs()).rejects.toMatchObject({ code: 'sso_token_missing' });
    await expect(cancelAs('grace')).rejects.toMatchObject({ code: 'resource_not_found', status: 404 });
    await expect(cancelAs('ada')).rejects.toMatchObject({ code: 'self_cancel_not_allowed', status: 409 });
    await given.accept(await given.offer('grace@example.com', 'ada'), { fan: 'grace' });
    const rows = async () => comparable(await itemsLike(table, given.orgId));
    const before = await rows();
    for (const fan of ['ada', 'grace']) {
      await expect(cancelAs(fan)).rejects.toMatchObject({ code: 'ticket_given_away', status: 409 });
    }
    expect(await rows()).toEqual(before);
  });
});
