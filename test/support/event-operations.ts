import './streaming-runtime.ts';

import * as v from 'valibot';
import { summarise } from '../../functions/api/events/event-sales-summary.ts';
import { count as countPrices } from '../../functions/api/events/event-stats-by-price.ts';
import { count as countCategories } from '../../functions/api/events/event-stats-by-price-category.ts';
import { list as listOrders } from '../../functions/api/events/list-event-orders.ts';
import { list as listScans } from '../../functions/api/events/list-event-scans.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { StreamedOutput } from '../../shared/http/streamed-output.ts';
import { eventSalesSummary } from '../../shared/operations/events/event-sales-summary.ts';
import { listEventOrders } from '../../shared/operations/events/list-event-orders.ts';
import { listEventScans } from '../../shared/operations/events/list-event-scans.ts';
import { statsQuery } from '../../shared/operations/events/stats-query.ts';
import { kickOffUnix } from './events.ts';

type Query = Readonly<Record<string, unknown>>;
type Ask<Answer> = (eventId: number | string, query?: Query, caller?: string) => Promise<Answer>;

async function textOf(output: unknown): Promise<string> {
  if (!(output instanceof StreamedOutput)) throw new Error('The list is streamed.');
  let text = '';
  for await (const part of output.toStream(false)) text += String(part);
  return text;
}

/** The operations on the sales and scans of an event: each is asked with a query and answers with its whole body. */
export function eventOperations(table: () => Table, orgId: string) {
  const deps = (caller: string) => ({
    caller: { orgId: caller, keyId: '1', scopes: ['read'] as const },
    windows: [],
    table: table(),
    clock: { nowMs: () => kickOffUnix * 1000 },
    baseUrl: 'https://api.example.com/stage',
    acceptsGzip: false,
    receipt: () => [],
  });
  const input = <Parsed>(eventId: number | string, query: Parsed) => ({
    params: { event_id: String(eventId) },
    query,
    body: {},
  });
  const orders: Ask<unknown> = (eventId, query = {}, caller = orgId) =>
    listOrders(input(eventId, v.parse(listEventOrders.input.query, query)), deps(caller));
  const scans: Ask<Readonly<Record<string, unknown>>> = async (eventId, query = {}, caller = orgId) =>
    JSON.parse(await textOf(await listScans(input(eventId, v.parse(listEventScans.input.query, query)), deps(caller))));
  const prices: Ask<unknown> = (eventId, query = {}, caller = orgId) =>
    countPrices(input(eventId, v.parse(statsQuery, query)), deps(caller));
  const categories: Ask<unknown> = (eventId, query = {}, caller = orgId) =>
    countCategories(input(eventId, v.parse(statsQuery, query)), deps(caller));
  const summary: Ask<unknown> = (eventId, query = {}, caller = orgId) =>
    summarise(input(eventId, v.parse(eventSalesSummary.input.query, query)), deps(caller));
  return { orders, scans, prices, categories, summary };
}
