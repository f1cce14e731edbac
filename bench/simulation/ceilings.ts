import { addBasketItem } from '../../shared/operations/baskets/add-basket-item.ts';
import { addBasketSeats } from '../../shared/operations/baskets/add-basket-seats.ts';
import { openBasket } from '../../shared/operations/baskets/open-basket.ts';
import { recordScan } from '../../shared/operations/events/record-scan.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { FigureTable } from '../report/figures.ts';
import { type SimulatedCloud, startSimulatedCloud } from './cloud.ts';
import { givenStadium } from './match-day.ts';
import { fromStorefront, givenEventOnSale, type OnSale } from './on-sale-event.ts';
import { givenSeatedEventOnSale } from './seated-event.ts';
import { simulateProcess } from './simulated-process.ts';
import { SimulatedWebhooks } from './webhooks.ts';

/** What a steady rate of requests gets. */
interface Step {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly refused_503: number;
  readonly conflicts: number;
}

export interface CeilingsReport {
  readonly scenario: 'ceilings';
  readonly seed: number;
  /** For each kind of request the steps of the rate, up to the first that is refused or too slow. */
  readonly ceilings: readonly { readonly what: string; readonly highest: number; readonly steps: readonly Step[] }[];
  readonly timeline: Readonly<Record<string, readonly number[]>>;
}

const rates = [100, 300, 500, 1_000];
const seconds = 5;

type SendOne = () => Promise<{ readonly status: number; readonly ms: number }>;

interface Kind {
  readonly what: string;
  readonly send: SendOne;
  /** A step is served if no request is refused and the p99 is not longer than this. */
  readonly maxP99Ms: number;
}

/** Raises the rate of one kind of request until some are refused, for each kind. Nothing else happens at the same time. */
export async function simulateCeilings({ seed }: { readonly seed: number }, startMs: number): Promise<CeilingsReport> {
  const { time, random } = simulateProcess(seed, startMs);
  const cloud = startSimulatedCloud({ time, random, warmThroughput: { read: 60_000, write: 40_000 } });
  const work = async (): Promise<CeilingsReport> => {
    for (const operation of [openBasket, addBasketItem, addBasketSeats, recordScan]) await cloud.api.load(operation);
    const onSale = await givenEventOnSale(cloud.data, { prices: 20, tickets: 4_000_000 });
    const stand = await givenSeatedEventOnSale(cloud.data, {
      prices: 1,
      tickets: 20_000,
      sections: 1,
      orgId: 'org_stand',
    });
    const arena = await givenSeatedEventOnSale(cloud.data, { prices: 1, tickets: 21_000, sections: 20 });
    const blocks = (arena.map?.sections ?? []).map(({ section }) => section);
    const stadium = await givenStadium(cloud.data, {
      people: rates.reduce((sum, rate) => sum + rate * seconds, 0),
      gates: 60,
      startUnix: Math.floor(startMs / 1000) + 3_600,
    });
    const webhooks = new SimulatedWebhooks(cloud);
    await webhooks.givenEndpoints(onSale.orgId);
    const kinds: readonly Kind[] = [
      { what: 'holds on one price', send: holdOn(cloud, onSale, 1), maxP99Ms: 1_000 },
      { what: 'holds on one event with 20 prices', send: holdOn(cloud, onSale, 20), maxP99Ms: 1_000 },
      { what: 'holds of two seats in one section', send: holdSeats(cloud, stand, ['Block 1']), maxP99Ms: 1_000 },
      {
        what: 'holds of two seats in one event with 20 sections',
        send: holdSeats(cloud, arena, blocks),
        maxP99Ms: 1_000,
      },
      { what: 'scans of one event', send: scanAt(cloud, stadium), maxP99Ms: 1_000 },
      {
        what: 'events of one organisation with ten endpoints, from commit to delivery',
        send: () => webhooks.deliverOne(onSale.orgId),
        maxP99Ms: 5_000,
      },
    ];
    const ceilings: CeilingsReport['ceilings'][number][] = [];
    for (const kind of kinds) ceilings.push({ what: kind.what, ...(await findCeiling(cloud, kind)) });
    await cloud.stop();
    return { scenario: 'ceilings', seed, ceilings, timeline: {} };
  };
  return time.run(work());
}

async function findCeiling(
  cloud: SimulatedCloud,
  { send, maxP99Ms }: Kind,
): Promise<{ highest: number; steps: Step[] }> {
  const steps: Step[] = [];
  // Starts the instances that the first step needs.
  await measure(cloud, send, 20);
  for (const rate of rates) {
    const step = await measure(cloud, send, rate);
    steps.push(step);
    if (step.refused_503 > 0 || step.p99_ms > maxP99Ms) break;
  }
  const served = steps.filter(({ refused_503, p99_ms }) => refused_503 === 0 && p99_ms <= maxP99Ms);
  return { highest: served.at(-1)?.per_second ?? 0, steps };
}

async function measure(
  { time, random, table: { physics } }: SimulatedCloud,
  send: SendOne,
  rate: number,
): Promise<Step> {
  const conflicts = physics.counts.conflicts;
  const responses = await Promise.all(
    Array.from({ length: rate * seconds }, async () => {
      await time.sleep(random() * seconds * 1000);
      return send();
    }),
  );
  await time.sleep(5_000);
  const sorted = responses.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return {
    per_second: rate,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    refused_503: responses.filter(({ status }) => status === 503).length,
    conflicts: physics.counts.conflicts - conflicts,
  };
}

/** Holds one ticket of one of the first prices in a new basket. */
function holdOn(cloud: SimulatedCloud, onSale: OnSale, priceCount: number): SendOne {
  const { prices } = onSale;
  return holdWith(cloud, onSale, addBasketItem, () => ({
    price_id: prices[Math.floor(cloud.random() * priceCount)]?.priceId,
    quantity: 1,
  }));
}

/** Holds the two best seats of one of these sections in a new basket. */
function holdSeats(cloud: SimulatedCloud, onSale: OnSale, sections: readonly string[]): SendOne {
  const price_id = onSale.prices[0]?.priceId;
  return holdWith(cloud, onSale, addBasketSeats, () => ({
    items: [{ price_id, quantity: 2 }],
    section: sections[Math.floor(cloud.random() * sections.length)],
  }));
}

/** Opens a basket and fills it. Only the hold is measured. */
function holdWith(
  { time, api }: SimulatedCloud,
  { orgId, storefrontToken: token }: OnSale,
  operation: Operation,
  bodyOf: () => Readonly<Record<string, unknown>>,
): SendOne {
  let clients = 0;
  return async () => {
    clients += 1;
    const client = clients;
    const open = { body: { org: orgId } };
    const { body } = await api.send(openBasket, fromStorefront(open, { token, client, basketToken: undefined }));
    const startedMs = time.nowMs();
    const add = { params: { basket_id: String(body.id) }, body: bodyOf() };
    const { status } = await api.send(
      operation,
      fromStorefront(add, { token, client, basketToken: String(body.basket_token) }),
    );
    return { status, ms: time.nowMs() - startedMs };
  };
}

function scanAt(
  { time, random, api }: SimulatedCloud,
  { eventId, gates, tickets }: Awaited<ReturnType<typeof givenStadium>>,
): SendOne {
  let next = 0;
  return async () => {
    const ticket = tickets[next % tickets.length];
    next += 1;
    const gate = gates[Math.floor(random() * gates.length)];
    const startedMs = time.nowMs();
    const { status } = await api.send(recordScan, {
      headers: { Authorization: `Bearer ${gate?.token}` },
      params: { event_id: String(eventId) },
      body: { barcode: ticket?.barcode, gate_id: gate?.gateId, nonce: `scan-${next}` },
    });
    return { status, ms: time.nowMs() - startedMs };
  };
}

export function ceilingTables({ ceilings }: CeilingsReport): readonly FigureTable[] {
  return ceilings.map(({ what, highest, steps }) => ({
    title: `${what}: ${highest} a second`,
    columns: ['a second', 'p50 ms', 'p99 ms', '503', 'conflicts'],
    rows: steps.map((step) => [step.per_second, step.p50_ms, step.p99_ms, step.refused_503, step.conflicts]),
  }));
}
