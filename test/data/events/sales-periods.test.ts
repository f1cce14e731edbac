import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/events/event-sales-summary.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { lastPeriods } from '../../../shared/domain/time/periods.ts';
import { eventSalesSummary } from '../../../shared/operations/events/event-sales-summary.ts';
import { checkOutWith, checkoutDepsOf, givenBasket, givenOnSale } from '../../support/baskets.ts';
import { callHandler } from '../../support/call-handler.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
});

const zone = 'Australia/Melbourne';
const hour = 3_600;
const unix = (iso: string): number => Date.parse(iso) / 1000;

describe('the periods of a chart', () => {
  it('are whole days on the clocks of the event, also when these change', () => {
    // 4 October 2026 has 23 hours in Melbourne.
    const days = lastPeriods({ per: 'day', count: 3, untilUnix: unix('2026-10-05T03:00:00Z') }, zone);
    expect(days.map(({ fromUnix, untilUnix }) => (untilUnix - fromUnix) / hour)).toEqual([24, 23, 24]);
    expect(days.at(-1)).toEqual({ fromUnix: unix('2026-10-04T13:00:00Z'), untilUnix: unix('2026-10-05T13:00:00Z') });
    const weeks = lastPeriods({ per: 'week', count: 2, untilUnix: unix('2026-10-05T03:00:00Z') }, zone);
    expect(weeks.map(({ fromUnix, untilUnix }) => (untilUnix - fromUnix) / hour)).toEqual([168, 167]);
  });

  it('follow each other without a gap, and the last one contains the second before its end', () => {
    for (const per of ['half_hour', 'day', 'week'] as const) {
      const untilUnix = unix('2026-11-14T08:30:00Z');
      const periods = lastPeriods({ per, count: 60, untilUnix }, 'Asia/Kathmandu');
      expect(periods).toHaveLength(60);
      for (const [index, { untilUnix: end }] of periods.slice(0, -1).entries()) {
        expect(periods[index + 1]?.fromUnix).toBe(end);
      }
      const last = periods.at(-1);
      expect(last?.fromUnix).toBeLessThan(untilUnix);
      expect(last?.untilUnix).toBeGreaterThanOrEqual(untilUnix);
    }
  });
});

describe('event-sales-summary with per', () => {
  it('event-sales-summary with per says in one response what was sold by period, and how many orders are confirmed', async () => {
    const orgId = 'org_chart';
    const deps = checkoutDepsOf(table, orgId);
    const { event, price } = await givenOnSale(table, orgId, { capacity: 100 });
    for (const tickets of [2, 3]) {
      const { basketId } = await givenBasket(deps, price, tickets);
      expect(await checkOutWith(deps, basketId)).toMatchObject({ outcome: 'confirmed' });
    }
    const nowMs = deps.clock.nowMs() + 86_400_000;
    const summarise = async (query: Readonly<Record<string, unknown>>) => {
      const input = { params: { event_id: String(event.eventId) }, query };
      return v.parse(
        eventSalesSummary.output.schema,
        await callHandler(eventSalesSummary, handle, input, { table, orgId, nowMs }),
      );
    };
    const { data, periods, confirmed_orders } = await summarise({ per: 'day', periods: 3 });
    expect(confirmed_orders).toBe(2);
    expect(periods?.map(({ tickets }) => tickets)).toEqual([0, 5, 0]);
    expect(periods?.[1]?.gross_sales).toBe(data[0]?.gross_sales);
    expect(await summarise({})).toEqual({ has_more: false, data });
    const before = await summarise({
      per: 'half_hour',
      periods: 1,
      until_unix: Math.floor(deps.clock.nowMs() / 1000) - hour,
    });
    expect(before.periods).toMatchObject([{ tickets: 0, scans: 0 }]);
  });
});
