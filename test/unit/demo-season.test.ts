import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { demoData } from '../../local/demo/data.ts';
import { demoStock } from '../../local/demo/events.ts';
import { seasonItems } from '../../local/demo/season-items.ts';
import { parseEvent } from '../../shared/data/events/row.ts';
import { configOf } from '../../shared/data/membership/config.ts';
import { writtenTime } from '../../shared/domain/time/local-time.ts';
import { eventResource } from '../../shared/mappers/event.ts';
import { priceResource } from '../../shared/mappers/price.ts';
import { Event } from '../../shared/operations/schemas/event.ts';
import { Price } from '../../shared/operations/schemas/price.ts';

const today = Date.UTC(2026, 10, 14) / 1000;
const day = 86_400;

describe.each(['org_harbourfc', 'org_lantern'])('demo season of %s', (orgId) => {
  const { season, config, customers } = demoData(orgId, today);
  const items = seasonItems(orgId, season);
  const events = items.filter(({ sk }) => String(sk).startsWith('E#')).map(parseEvent);
  const stocks = new Map(
    items.filter(({ pk }) => String(pk).startsWith('STK#')).map((item) => [`${item.pk}/${item.sk}`, item]),
  );
  const sales = season.activities.flatMap((activity) => (activity.kind === 'order' ? [activity.order] : []));

  it('the demo season is the same every time, and in another season has the same shows with later dates', () => {
    expect(demoData(orgId, today).season).toEqual(season);
    for (const later of [today + 133 * day, today + 300 * day]) {
      const other = demoData(orgId, later).season;
      expect(other.events.map(({ event }) => event.title)).toEqual(season.events.map(({ event }) => event.title));
      expect(other.activities.filter(({ kind }) => kind === 'order').length).toBe(sales.length);
      for (const [index, { event }] of other.events.entries()) {
        const { startUnix, timezone } = season.events[index]?.event ?? event;
        const { weekday, time } = writtenTime(startUnix, timezone);
        expect(writtenTime(event.startUnix, timezone)).toMatchObject({ weekday, time });
      }
    }
  });

  it('the demo season matches the response schemas', () => {
    const { types } = configOf(config);
    for (const event of events) v.parse(Event, eventResource({ orgId, name: 'x' }, event));
    for (const { event, categories, prices } of season.events) {
      const context = {
        event,
        categories: new Map(categories.map((category) => [category.categoryId, category])),
        stocks: new Map(),
        membershipTypes: types,
        isPublic: false,
      };
      for (const { price } of prices) {
        const resource = priceResource(price, context);
        v.parse(Price, resource);
        expect(resource.price_category_title).not.toBe('');
        expect(resource.membership_type_name === null).toBe(price.membershipTypeId === null);
      }
    }
  });

  it('the club of the demo sells at its counter: for cash, with the terminal, for nothing and on an invoice', () => {
    const kinds = new Set(sales.flatMap(({ tender }) => tender?.kind ?? []));
    const all = ['cash', 'complimentary', 'invoice', 'terminal'];
    expect([...kinds].sort()).toEqual(orgId === 'org_harbourfc' ? all : []);
  });

  it('the demo season has one of everything that a new user looks for', () => {
    const published = season.events.filter(({ event }) => event.statusId === 1 && event.startUnix > today);
    const onSale = published.filter(
      ({ event, plan, prices }) =>
        !event.reservedSeating &&
        plan.isSoldOut === undefined &&
        prices.some(
          ({ price }) =>
            price.priceMinor > 0 &&
            price.membershipTypeId === null &&
            price.showOnline &&
            (price.availableFromUnix ?? 0) <= today &&
            (price.availableUntilUnix ?? Number.POSITIVE_INFINITY) > today + 2 * day,
        ),
    );
    expect(onSale.length).toBeGreaterThan(0);
    // The first published event that a new user finds can be bought.
    const latest = published.toSorted((one, other) => other.event.startUnix - one.event.startUnix)[0];
    expect(onSale).toContain(latest);
    expect(published.some(({ prices }) => prices.every(({ price }) => (price.availableFromUnix ?? 0) > today))).toBe(
      true,
    );
    const every = (test: (price: (typeof published)[0]['prices'][0]['price']) => boolean) =>
      published.filter(({ prices }) => prices.every(({ price }) => test(price)));
    expect(every(({ priceMinor }) => priceMinor === 0).length).toBeGreaterThan(0);
    expect(every(({ membershipTypeId }) => membershipTypeId !== null).length).toBeGreaterThan(0);
    expect(published.some(({ event }) => event.reservedSeating)).toBe(true);
    expect(onSale.some(({ prices }) => prices.some(({ price }) => price.ticketsIncluded > 1))).toBe(true);
    expect(events.filter(({ soldOut }) => soldOut).length).toBe(1);
    expect(new Set(events.map(({ statusId }) => statusId))).toEqual(
      new Set(orgId === 'org_harbourfc' ? [0, 1, 2, 3] : [0, 1, 3]),
    );
  });

  it('the demo season never sells more than its capacity, nor before or after its time of sale', () => {
    for (const { avail, capacity } of stocks.values()) {
      expect(Number(avail)).toBeGreaterThanOrEqual(0);
      expect(Number(avail)).toBeLessThanOrEqual(Number(capacity));
    }
    const starts = new Map(season.events.map(({ event }) => [event.eventId, event.startUnix]));
    const userIds = new Set(customers.map(({ userId }) => userId));
    for (const { eventId, placedUnix, userId } of sales) {
      expect(placedUnix).toBeLessThanOrEqual(Math.min(today, starts.get(eventId) ?? 0));
      expect(userId === null || userIds.has(userId)).toBe(true);
    }
    for (const activity of season.activities)
      if (activity.kind === 'scan') expect(activity.scan.scannedUnix).toBeLessThan(today);
    expect(new Set(sales.flatMap(({ tickets }) => tickets.map(({ barcode }) => barcode))).size).toBe(
      sales.reduce((sum, { tickets }) => sum + tickets.length, 0),
    );
  });

  it('the demo season leaves no stock of a sold-out price', () => {
    const soldOut = season.events.filter(({ plan }) => plan.isSoldOut);
    for (const demo of soldOut) {
      for (const { avail } of demoStock(demo, new Map([[1, 3]])).values()) expect(avail).toBe(0);
    }
    expect(soldOut.length).toBe(1);
  });
});
