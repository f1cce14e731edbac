import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { saveEvent } from '../../shared/data/events/save.ts';
import { savePrice } from '../../shared/data/prices/save-price.ts';
import { returnStock, takeStock } from '../../shared/data/prices/stock.ts';
import { transact } from '../../shared/data/table/transact.ts';
import { anEvent, farFutureUnix, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { type Service, shareService } from '../support/service.ts';

const orgId = 'org_soldout';
let service: Service;
let key: string;

beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
});
afterAll(() => service.stop());

it('sold_out of an event follows its stock and its prices in every list', async () => {
  const { table } = service;
  const { eventId } = (await saveEvent(table, orgId, anEvent({ title: 'Grand final', startUnix: farFutureUnix })))
    .event;
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const price = await givenPrice(table, orgId, { eventId, categoryId, capacity: 3 });
  const other = await givenPrice(table, orgId, { eventId, categoryId, capacity: 2 });

  const isShown = (soldOut: boolean) =>
    vi.waitFor(
      async () => {
        const alone = await service.call(`/v1/events/${eventId}`, { key });
        expect(alone.body).toMatchObject({ sold_out: soldOut });
        for (const query of ['', '?search=final', '?event_status_id=1']) {
          const list = await service.call(`/v1/events${query}`, { key });
          expect(list.body).toMatchObject({ data: [{ sold_out: soldOut }] });
        }
      },
      { timeout: 30_000, interval: 200 },
    );

  await transact(table, [takeStock(table, orgId, price, 3), takeStock(table, orgId, other, 2)]);
  await isShown(true);
  await transact(table, [returnStock(table, orgId, other, 1)]);
  await isShown(false);
  const { index: _, priceId: __, version: ___, ...draft } = other;
  await savePrice(table, orgId, { ...draft, currency: 'AUD', capacity: 2, status: 'inactive' });
  await isShown(true);
  expect(service.logs.filter((line) => line.includes('not allowed'))).toEqual([]);
});
