import { beforeAll, describe, expect, it } from 'vitest';
import { updateEvent } from '../../../shared/catalogue/save-event.ts';
import { updatePrice } from '../../../shared/catalogue/save-price.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { addItem, checkOutWith, givenBasket, givenOnSale, newCheckoutDeps } from '../../support/baskets.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const close = (orgId: string, eventId: number) =>
  updateEvent(table, orgId, eventId, { change: { statusId: 3 }, ifMatch: undefined, nowUnix: 0 });

describe('changes of the catalogue while tickets are bought', () => {
  it('a closed event sells nothing: neither to a new basket nor to one that holds tickets', async () => {
    const deps = newCheckoutDeps(table);
    const { event, price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenBasket(deps, price);
    await close(deps.orgId, event.eventId);
    const refusal = { outcome: 'refused', refusal: { reason: 'event_not_on_sale' } };
    expect(await addItem(deps, basketId, price)).toMatchObject(refusal);
    expect(await checkOutWith(deps, basketId)).toMatchObject(refusal);
  });

  it('closed at any call of a checkout, either the checkout is refused, or it had begun and makes its order', async () => {
    const outcomes = new Set<string>();
    for (let call = 1, isClosed = true; isClosed; call += 1) {
      const deps = newCheckoutDeps(table);
      const { event, price } = await givenOnSale(table, deps.orgId);
      const { basketId } = await givenBasket(deps, price);
      isClosed = false;
      const closing = faultyTable(
        table,
        async (send, attempt) => {
          if (attempt === call) {
            await close(deps.orgId, event.eventId);
            isClosed = true;
          }
          await send();
        },
        /./,
      );
      const { outcome } = await checkOutWith({ ...deps, table: closing }, basketId);
      outcomes.add(outcome);
      const order = await readOrderWithTickets(table, deps.orgId, basketId);
      expect(order === undefined ? 'refused' : 'confirmed').toBe(outcome);
    }
    expect(outcomes).toEqual(new Set(['refused', 'confirmed']));
  });

  it('a basket keeps the price that its buyer was shown, and the next ticket costs the new one', async () => {
    const deps = newCheckoutDeps(table);
    const { event, price } = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenBasket(deps, price);
    const ref = { eventId: event.eventId, index: price.index };
    await updatePrice(table, deps.orgId, ref, { change: { priceMinor: 9_900 }, ifMatch: undefined });
    await checkOutWith(deps, basketId);
    const later = await givenBasket(deps, price);
    await checkOutWith(deps, later.basketId);
    const [before, after] = await Promise.all(
      [basketId, later.basketId].map((id) => readOrderWithTickets(table, deps.orgId, id)),
    );
    expect(before?.order.totalMinor).toBe(3_215);
    expect(after?.order.totalMinor).toBe(9_900 + 215);
  });
});
