import { beforeAll, describe, expect, it } from 'vitest';
import { updateEvent } from '../../../shared/catalogue/save-event.ts';
import { openBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { savePhases } from '../../../shared/data/phases/phases.ts';
import { savePrice } from '../../../shared/data/prices/save-price.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { noRequirements } from '../../../shared/domain/phases/phase.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { checkOutWith, givenBasket } from '../../support/baskets.ts';
import { refundOrder } from '../../support/faults/refund-crash-scenario.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable, openTestTable } from '../../support/table.ts';
import {
  announced,
  audited,
  type Deps,
  givenSoldOut,
  join,
  leave,
  leftOf,
  list,
  serve,
  snatch,
  statuses,
  sweepLists,
} from '../../support/waiting-list.ts';

const day = 86_400;
let table: Table;
await givenStackSecret();
beforeAll(async () => {
  process.env.PAYMENTS = 'sandbox';
  ({ table } = await createTestTable());
});

async function refund(deps: Deps, orderId: number | undefined): Promise<void> {
  await refundOrder(deps, { orderId: orderId ?? 0, tickets: 'all' });
}

async function basketOf(deps: Deps, price: PriceRecord, name: string): Promise<number> {
  const entry = (await list(deps, price)).find(({ email }) => email === `${name}@example.com`);
  return Number(entry?.basket_id);
}

describe('waiting list: what comes back', () => {
  it('is offered to the first in line for a day, and nobody else gets it in between', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 2);
    for (const name of ['ada', 'bob']) await join(deps, price, name);
    const { basketId: other } = await openBasket(table, deps);
    await refund(deps, orders[0]);
    expect(await leftOf(deps, price)).toEqual({ avail: 1, capacity: 2, closed: true });
    expect(await snatch(deps, price, other)).toBe('waited_for');
    expect(await audited(deps, price)).toEqual([]);
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['ada offered', 'bob waiting']);
    expect(await leftOf(deps, price)).toEqual({ avail: 0, capacity: 2, closed: true });
    const [offered] = await list(deps, price);
    expect(offered?.offer_expires_at).toBe(deps.nowUnix + day);
    expect(await readBasket(table, deps.orgId, Number(offered?.basket_id))).toMatchObject({
      status: 'open',
      expiresUnix: deps.nowUnix + day,
      longHold: { reason: 'Waiting list', customer: { emailAddress: 'ada@example.com' } },
      lines: [{ quantity: 1 }],
    });
    expect(await audited(deps, price)).toEqual([]);
    expect(await announced(deps)).toEqual(['joined ada', 'joined bob', 'offered ada']);
  });

  it('is paid as a long hold, and does not live again after a refund (pretix 1163)', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 1);
    await join(deps, price, 'ada');
    await refund(deps, orders[0]);
    await serve(deps, price);
    const basketId = await basketOf(deps, price, 'ada');
    expect((await checkOutWith(deps, basketId)).outcome).toBe('confirmed');
    expect(await statuses(deps, price)).toEqual(['ada bought']);
    await serve(deps, price);
    expect(await leftOf(deps, price)).toEqual({ avail: 0, capacity: 1 });
    await refund(deps, basketId);
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['ada bought']);
    expect(await leftOf(deps, price)).toEqual({ avail: 1, capacity: 1 });
    expect(await audited(deps, price)).toEqual([]);
  });

  it('goes to the next in line when it is not paid in a day, and says so once', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 1);
    for (const name of ['ada', 'bob']) await join(deps, price, name);
    await refund(deps, orders[0]);
    await serve(deps, price);
    deps.nowUnix += day;
    expect(await statuses(deps, price)).toEqual(['ada passed', 'bob waiting']);
    await sweepBaskets(deps);
    for (let run = 0; run < 2; run += 1) await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['ada passed', 'bob offered']);
    expect(await announced(deps)).toEqual(['joined ada', 'joined bob', 'offered ada', 'expired ada', 'offered bob']);
    // At the end of the line again.
    expect(await join(deps, price, 'ada')).toMatchObject({ status: 'waiting', basket_id: null });
    expect(await audited(deps, price)).toEqual([]);
  });

  it('is all or nothing for a group, which blocks nobody and keeps its place (pretix 974)', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 4);
    await join(deps, price, 'group', { quantity: 3 });
    await join(deps, price, 'family', { quantity: 4, accept_less: true });
    await join(deps, price, 'cleo');
    await refund(deps, orders[0]);
    await refund(deps, orders[1]);
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['group waiting', 'family offered', 'cleo waiting']);
    expect(await readBasket(table, deps.orgId, await basketOf(deps, price, 'family'))).toMatchObject({
      lines: [{ quantity: 2 }],
    });
    expect(await entryOf(deps, price, 'family')).toMatchObject({ quantity: 4, offered_quantity: 2 });
    expect(await entryOf(deps, price, 'group')).toMatchObject({ quantity: 3, offered_quantity: null });
    for (const name of ['family', 'cleo']) await leave(deps, await entryOf(deps, price, name));
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['group waiting', 'family left', 'cleo left']);
    expect(await leftOf(deps, price)).toEqual({ avail: 2, capacity: 4, closed: true });
    await refund(deps, orders[2]);
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['group offered', 'family left', 'cleo left']);
    expect(await leftOf(deps, price)).toEqual({ avail: 0, capacity: 4 });
  });

  it('may be a higher capacity, also with more slices than before', async () => {
    const { deps, event, price } = await givenSoldOut(table, 3);
    await join(deps, price, 'ada', { quantity: 2 });
    const { index: _, priceId: __, version: ___, stockSlices: ____, ...fields } = price;
    await savePrice(table, deps.orgId, { ...fields, currency: event.currency, capacity: 300 });
    const { basketId } = await openBasket(table, deps);
    for (let attempt = 0; attempt < 9; attempt += 1) expect(await snatch(deps, price, basketId)).toBe('waited_for');
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['ada offered']);
    expect(await leftOf(deps, price)).toEqual({ avail: 295, capacity: 300 });
    expect(await audited(deps, price)).toEqual([]);
  });

  it('is not offered to somebody who leaves while the list is read, but to the next', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 1);
    const ada = await join(deps, price, 'ada');
    await join(deps, price, 'bob');
    await refund(deps, orders[0]);
    let hasLeft = false;
    const racing = openTestTable(table.name);
    racing.client.middlewareStack.add(
      (next) => async (args) => {
        // The queue was read, and the entry of the first in it is read next.
        if (!hasLeft && 'Key' in args.input && JSON.stringify(args.input.Key).includes(ada.entry_id)) {
          hasLeft = true;
          await leave(deps, ada);
        }
        return next(args);
      },
      { step: 'initialize', priority: 'high' },
    );
    await serve({ ...deps, table: racing }, price);
    expect(hasLeft).toBe(true);
    await serve(deps, price);
    expect(await statuses(deps, price)).toEqual(['ada left', 'bob offered']);
    expect(await announced(deps)).toEqual(['joined ada', 'joined bob', 'offered bob']);
    expect(await audited(deps, price)).toEqual([]);
  });

  it('is open to everyone when the list is empty again', async () => {
    const { deps, price, orders } = await givenSoldOut(table, 1);
    const entry = await join(deps, price, 'ada');
    await leave(deps, entry);
    await serve(deps, price);
    await refund(deps, orders[0]);
    expect((await givenBasket(deps, price)).lines).toHaveLength(1);
    await sweepLists(deps);
    deps.nowUnix += 3_600;
    expect(await sweepLists(deps)).toBe(0);
  });
});

describe('waiting list: the end of the sale', () => {
  it.each(['of the price', 'of its last phase', 'of the event'] as const)(
    'nothing is offered in its last day, and the stock opens (pretix 681, 1031): the end %s',
    async (which) => {
      const { deps, event, price, orders } = await givenSoldOut(table, 2);
      const endUnix = deps.nowUnix + 3 * day;
      const save = { change: { startUnix: endUnix }, ifMatch: undefined, nowUnix: deps.nowUnix };
      if (which === 'of the event') await updateEvent(table, deps.orgId, event.eventId, save);
      await endSale(deps, price, which === 'of the price' ? endUnix : null);
      if (which === 'of its last phase') await inPhases(deps, price, [endUnix - 2 * day, endUnix]);
      for (const name of ['ada', 'bob']) await join(deps, price, name);
      deps.nowUnix = endUnix - day - 1;
      await refund(deps, orders[0]);
      await sweepLists(deps);
      expect(await statuses(deps, price)).toEqual(['ada offered', 'bob waiting']);
      expect((await list(deps, price))[0]?.offer_expires_at).toBe(endUnix - 1);
      deps.nowUnix += 1;
      await sweepLists(deps);
      expect(await statuses(deps, price)).toEqual(['ada offered', 'bob passed']);
      expect(await leftOf(deps, price)).not.toHaveProperty('closed');
      await expect(join(deps, price, 'cleo')).rejects.toMatchObject({ code: 'waiting_list_closed' });
      await refund(deps, orders[1]);
      expect((await givenBasket(deps, price)).lines).toHaveLength(1);
      await sweepLists(deps);
      expect(await statuses(deps, price)).toEqual(['ada offered', 'bob passed']);
    },
  );
});

async function endSale(deps: Deps, price: PriceRecord, availableUntilUnix: number | null): Promise<void> {
  const { index: _, priceId: __, version: ___, stockSlices: ____, ...fields } = price;
  await savePrice(table, deps.orgId, { ...fields, currency: 'AUD', capacity: 2, availableUntilUnix });
}

async function inPhases(deps: Deps, { eventId }: PriceRecord, ends: readonly number[]): Promise<void> {
  const open = { title: 'Phase', requires: noRequirements, priceIndexes: null, maxPerPerson: null, version: 1 };
  const phases = ends.map((untilUnix, index) => ({
    ...open,
    number: index + 1,
    untilUnix,
    fromUnix: ends[index - 1] ?? null,
  }));
  await savePhases(table, deps.orgId, {
    before: undefined,
    after: { eventId, phases, lastNumber: phases.length, version: 1 },
  });
}

async function entryOf(deps: Deps, price: PriceRecord, name: string) {
  const entry = (await list(deps, price)).find(({ email }) => email === `${name}@example.com`);
  if (entry === undefined) throw new Error(name);
  return entry;
}
