import { listKeys } from '../../../shared/data/admin/api-keys/api-keys.ts';
import { listGateTokens } from '../../../shared/data/admin/gate-tokens.ts';
import { listChanges } from '../../../shared/data/admin/operator-changes.ts';
import { everyCustomer, everyEvent, everyOrder, everyScan } from '../../../shared/data/admin/read-all.ts';
import { everyStoredResponse } from '../../../shared/data/admin/stored-responses.ts';
import { listStorefrontTokens } from '../../../shared/data/admin/storefront-tokens.ts';
import { auditOrganisationStep } from '../../../shared/data/audit/organisation.ts';
import { type OrganisationPosition, organisationStart } from '../../../shared/data/audit/position.ts';
import { readRound } from '../../../shared/data/audit/round.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { basketsOfBuyer, basketsOfFan } from '../../../shared/data/baskets/buyers.ts';
import { readMemberTickets } from '../../../shared/data/baskets/member-tickets.ts';
import { readSales } from '../../../shared/data/counters/sales.ts';
import { countScans } from '../../../shared/data/counters/scans.ts';
import { listCustomers } from '../../../shared/data/customers/list.ts';
import { findCustomer } from '../../../shared/data/customers/read.ts';
import { listEvents } from '../../../shared/data/events/list.ts';
import { readVenues } from '../../../shared/data/events/venues.ts';
import { readGates } from '../../../shared/data/gates/gates.ts';
import { readJournal } from '../../../shared/data/journal/read.ts';
import { everyMember } from '../../../shared/data/members/list.ts';
import { membersOfCustomer } from '../../../shared/data/members/of-customer.ts';
import { matchingPositions } from '../../../shared/data/members/positions.ts';
import { readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { listOrders } from '../../../shared/data/orders/list.ts';
import { listAllOrders } from '../../../shared/data/orders/list-all.ts';
import { readTickets } from '../../../shared/data/orders/read.ts';
import { readOrganisation } from '../../../shared/data/organisations/organisation.ts';
import { readPricedEvent } from '../../../shared/data/prices/read.ts';
import { readStock } from '../../../shared/data/prices/stock.ts';
import { readRequests } from '../../../shared/data/requests/request-log.ts';
import { readMapVersion, readSeatMaps } from '../../../shared/data/seat-maps/seat-maps.ts';
import { readLinks } from '../../../shared/data/sso/links.ts';
import { readProviders } from '../../../shared/data/sso/providers.ts';
import { overdueHints } from '../../../shared/data/table/due-hints.ts';
import { dueKinds } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { termsOfMember } from '../../../shared/data/terms/terms.ts';
import { listDeliveries } from '../../../shared/data/webhooks/deliveries.ts';
import { readEndpointState } from '../../../shared/data/webhooks/endpoint-state.ts';
import { listEndpoints } from '../../../shared/data/webhooks/endpoints.ts';
import { readReplay } from '../../../shared/data/webhooks/replays.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { seatsOf } from '../../../shared/domain/seats/seat-map.ts';
import { readFeed } from '../../../shared/outbox/feed.ts';
import { findCharge } from '../../../shared/payments/sandbox-charges.ts';
import { collect } from '../collect.ts';

/** Two looks without a pause: nothing writes meanwhile. */
const atOnce = { looks: 2, wait: async () => {} };
/** After every hint of the written rows. */
const farUnix = 9_999_999_999;
/** The day after the one on which the rows are written: the request log shows 14 days. */
const dayAfterMs = Date.UTC(2026, 10, 8);
const page = { page: 1, limit: 50 } as const;

/**
 * Reads the rows of `writeEveryKind` with the functions of the service, and returns how many it found of each kind. A row that
 * a function cannot read makes it throw, and rows that contradict each other are findings of the audit. It uses nothing of the
 * test framework: `npm run golden` bundles it, so the readers of a release can read the rows of a later one.
 */
export async function readEveryKind(table: Table, orgId: string): Promise<Record<string, number>> {
  const keys = await listKeys(table, orgId);
  const config = await readMembershipConfig(table, orgId);
  await readEverySeat(table, orgId);
  return {
    organisations: countOf(await readOrganisation(table, orgId)),
    keys: keys.outcome === 'listed' ? keys.keys.length : 0,
    configuration: Object.values(config).reduce((sum, kind) => sum + kind.size, 0),
    gates: (await readGates(table, orgId)).length,
    gateTokens: (await listGateTokens(table, orgId)).length,
    storefrontTokens: (await listStorefrontTokens(table, orgId)).length,
    providers: (await readProviders(table, orgId)).length,
    links: (await readLinks(table, orgId)).length,
    venues: (await readVenues(table, orgId)).length,
    responses: (await collect(everyStoredResponse(table, orgId, { nowMs: () => farUnix * 1000 }))).length,
    rounds: countOf(await readRound(table)),
    ...(await readPeople(table, orgId)),
    ...(await readSeason(table, orgId)),
    ...(await readWebhooks(table, orgId)),
    findings: await countFindings(table, orgId),
  };
}

/** Not counted: the readers of release 0.1.0 know no seats. */
async function readEverySeat(table: Table, orgId: string): Promise<void> {
  for (const { code, seatMapId, mapVersion, seats } of await readSeatMaps(table, orgId)) {
    const map = mapVersion > 0 ? await readMapVersion(table, orgId, seatMapId, mapVersion) : undefined;
    if (mapVersion > 0 && (map === undefined || seatsOf(map).length !== seats)) throw new Error(`${code} lost seats.`);
  }
}

async function readPeople(table: Table, orgId: string): Promise<Record<string, number>> {
  const customers = (await collect(everyCustomer(table, orgId))).flat();
  const members = (await collect(everyMember(table, orgId, planMembers({})))).flat();
  const filtered = matchingPositions(table, { orgId, plan: planMembers({}) }, 50);
  const listing = { orgId, descending: false, updatedSince: undefined, ...page };
  const sorts = ['first', 'last', 'email', 'added', 'updated'] as const;
  const lists = await Promise.all(sorts.map((sort) => listCustomers(table, { ...listing, sort, search: undefined })));
  const fan = await findCustomer(table, orgId, 'C-1');
  const userId = fan?.userId ?? 0;
  return {
    customers: customers.length,
    listedCustomers: lists.reduce((sum, list) => sum + list.customers.length, 0),
    foundCustomers: (await listCustomers(table, { ...listing, sort: 'added', search: 'fan@example.com' })).customers
      .length,
    members: members.length,
    terms: (await Promise.all(members.map(({ memberId }) => termsOfMember(table, orgId, memberId)))).flat().length,
    filteredMembers: (await collect(filtered)).flat().length,
    membersOfFan: (await membersOfCustomer(table, orgId, userId)).length,
    basketsOfFan: (await basketsOfFan(table, orgId, userId)).length,
    basketsOfBuyer: (await basketsOfBuyer(table, orgId, 'ada@example.com')).length,
  };
}

async function readSeason(table: Table, orgId: string): Promise<Record<string, number>> {
  const counts = { events: 0, prices: 0, pools: 0, stock: 0, orders: 0, tickets: 0, scans: 0, baskets: 0, charges: 0 };
  const totals = { sold: 0, counted: 0, ofMembers: 0, listedOrders: 0, foundOrders: 0 };
  for await (const { eventId } of everyEvent(table, orgId)) {
    counts.events += 1;
    const list = await readPricedEvent(table, orgId, eventId);
    counts.prices += list?.prices.length ?? 0;
    counts.pools += list?.pools.size ?? 0;
    counts.stock += (await readStock(table, orgId, eventId)).size;
    const orders = await collect(everyOrder(table, orgId, eventId));
    counts.orders += orders.length;
    for (const { order, tickets } of orders) {
      counts.tickets += (
        await readTickets(
          table,
          orgId,
          tickets.map(({ barcode }) => barcode),
        )
      ).length;
      const basket = await readBasket(table, orgId, order.orderId);
      counts.baskets += countOf(basket);
      const chargeId = basket?.payment?.chargeId ?? '';
      counts.charges += countOf(await findCharge(table, { orgId, chargeId }));
      const owner = order.reservation?.owner;
      if (owner !== undefined) totals.ofMembers += (await readMemberTickets(table, orgId, { eventId, owner })).size;
    }
    counts.scans += (await collect(everyScan(table, orgId, eventId))).length;
    for (const { tickets } of (await readSales(table, orgId, eventId)).values()) totals.sold += tickets;
    totals.counted += await countScans(table, orgId, eventId);
    const listing = { orgId, eventId, status: undefined, range: {}, ...page };
    totals.listedOrders += (await listOrders(table, { ...listing, search: undefined })).orders.length;
    totals.foundOrders += (await listOrders(table, { ...listing, search: 'lovelace' })).orders.length;
  }
  const all = { orgId, userId: undefined, emailAddress: undefined, status: undefined, range: {}, ...page };
  const events = { orgId, statusId: undefined, ...page };
  return {
    ...counts,
    ...totals,
    allOrders: (await listAllOrders(table, all)).orders.length,
    ordersOfAddress: (await listAllOrders(table, { ...all, emailAddress: 'ada@example.com' })).orders.length,
    listedEvents: (await listEvents(table, { ...events, search: undefined })).events.length,
    foundEvents: (await listEvents(table, { ...events, search: 'match' })).events.length,
  };
}

const releasedKinds: readonly string[] = ['basket', 'outbox', 'delivery', 'backlog', 'replay', 'stock', 'job'];

async function readWebhooks(table: Table, orgId: string): Promise<Record<string, number>> {
  const endpoints = await listEndpoints(table, orgId);
  const counts = { deliveries: 0, failures: 0, replays: 0, hints: 0 };
  for (const { endpointId } of endpoints) {
    const ref = { orgId, endpointId };
    counts.deliveries += (await listDeliveries(table, ref, { limit: 50, after: undefined })).deliveries.length;
    counts.failures += (await readEndpointState(table, ref)).failures;
    counts.replays += countOf(await readReplay(table, ref));
  }
  for (const kind of dueKinds) {
    const hints = (await collect(overdueHints(table, kind, farUnix))).flat();
    // Those of later kinds are read and not counted: the readers of release 0.1.0 know none.
    if (releasedKinds.includes(kind)) counts.hints += hints.filter(({ ref }) => ref[0] === orgId).length;
  }
  // Read and not counted, too.
  await listChanges(table, { orgId, limit: 50 });
  const range = { after: undefined, limit: 50, sinceMs: 0, untilMs: farUnix * 1000, nowMs: farUnix * 1000 };
  const journal = { ...range, eventId: undefined, orderId: undefined };
  const everyCall = { operationId: undefined, status: undefined, keyId: undefined };
  return {
    endpoints: endpoints.length,
    ...counts,
    feed: (await readFeed(table, orgId, range)).events.length,
    journal: (await readJournal(table, orgId, journal)).rows.length,
    requests: (await readRequests(table, orgId, { ...range, ...everyCall, nowMs: dayAfterMs })).requests.length,
  };
}

async function countFindings(table: Table, orgId: string): Promise<number> {
  let findings = 0;
  for (let at: OrganisationPosition | undefined = organisationStart; at !== undefined; ) {
    const step = await auditOrganisationStep(table, orgId, at, { nowUnix: dayAfterMs / 1000, confirmation: atOnce });
    findings += step.findings.length;
    at = step.next;
  }
  return findings;
}

const countOf = (row: object | undefined): number => (row === undefined ? 0 : 1);
