import { recordSale } from '../../shared/data/orders-record.ts';
import { recordScan } from '../../shared/data/scans-record.ts';
import { takeStock } from '../../shared/data/stock.ts';
import type { Table } from '../../shared/data/table.ts';
import { announce } from '../../shared/events/outbox.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { bodyOf, paramsOf, prepare, queryOf } from '../../test/contract/examples.ts';
import { createWorld, eventIdOf, fanToken } from '../../test/contract/world.ts';
import { givenKey, givenOrganisation } from '../../test/support/door.ts';
import { givenFullConfig } from '../../test/support/membership.ts';
import { aSale, aScan, aTicket } from '../../test/support/sales.ts';
import { webhookEventExamples } from '../../test/support/webhook-examples.ts';
import type { MeasurePart } from '../parts.ts';
import { assumed, dollarsPerMillion, prices } from '../prices.ts';
import { atMost, type FigureTable, median } from '../report/figures.ts';
import { type Ask, operationOn } from '../stand/call.ts';
import { loadCrowd } from '../stand/crowd.ts';
import { startStand } from '../stand/dynamodb.ts';
import { type Neighbours, startNeighbours } from '../stand/neighbours.ts';
import { type Recorded, Recorder } from '../stand/recorder.ts';
import { leastUnits } from './least-units.ts';

const orgId = 'org_bench';
const crowd = { members: 1_000, customers: 1_000, orders: 1_000, scans: 1_000 };
/** The first call of an operation warms it up. */
const repeats = 5;

/** Lists are asked for the page that most clients walk with. */
const pageQueries: Readonly<Record<string, Record<string, string>>> = {
  'list-members': { limit: '100' },
  'list-customers': { limit: '100' },
  'list-event-orders': { limit: '100' },
};

interface Measured extends Recorded {
  readonly operation: Operation;
  readonly bytes: number;
  readonly cpuMs: number;
  readonly messages: number;
}

export const measureOperations: MeasurePart = async ({ progress }) => {
  const neighbours = await startNeighbours();
  const stand = await startStand();
  try {
    const table = stand.open();
    const recorder = new Recorder(table, stand.open());
    await givenOrganisation(table, orgId);
    const key = (await givenKey(table, orgId)).text;
    await createWorld(table, orgId);
    await givenFullConfig(table, orgId);
    await loadCrowd(table, { orgId, eventId: eventIdOf(orgId) }, crowd, progress);
    const measured: Measured[] = [];
    for (const operation of operations) {
      progress(operation.id);
      measured.push(await measure(operation, { table, recorder, neighbours, key }));
    }
    return findingsOf(measured, await perTicket(table, recorder));
  } finally {
    await stand.stop();
    neighbours.stop();
  }
};

interface Around {
  readonly table: Table;
  readonly recorder: Recorder;
  readonly neighbours: Neighbours;
  readonly key: string;
}

async function measure(operation: Operation, { table, recorder, neighbours, key }: Around): Promise<Measured> {
  const ask = await operationOn(table, operation);
  const runs: Measured[] = [];
  for (let run = 0; run < repeats; run += 1) {
    await prepare(operation, table, orgId);
    const sent = neighbours.messages();
    let [bytes, cpuMs] = [0, 0];
    const recorded = await recorder.during(async () => {
      const before = process.cpuUsage();
      bytes = await answeredBytes(operation, ask, key);
      const { user, system } = process.cpuUsage(before);
      cpuMs = (user + system) / 1000;
    });
    runs.push({ ...recorded, operation, bytes, cpuMs, messages: neighbours.messages() - sent });
  }
  const byUnits = [...runs].sort((a, b) => a.readUnits + a.writeUnits - b.readUnits - b.writeUnits);
  // A write that is repeated may find nothing left to change; a read may find a page remembered.
  const chosen = operation.effect === 'write' ? byUnits.at(-1) : byUnits[0];
  if (chosen === undefined) throw new Error('Nothing was measured.');
  return { ...chosen, cpuMs: median(runs.slice(1).map((run) => run.cpuMs)) };
}

async function answeredBytes(operation: Operation, ask: Ask, key: string): Promise<number> {
  const body = bodyOf(operation, orgId);
  const {
    status,
    bytes,
    body: text,
  } = await ask({
    params: paramsOf(operation, orgId),
    query: { ...queryOf(operation), ...pageQueries[operation.id] },
    headers: {
      ...(operation.door.kind !== 'open' && { Authorization: `Bearer ${key}` }),
      ...(operation.ssoUser && { 'X-SSO-Token': fanToken }),
    },
    ...(Object.keys(operation.body.entries).length > 0 && { body }),
  });
  if (status !== operation.status) throw new Error(`${operation.id} answered ${status}: ${text.slice(0, 300)}`);
  return bytes;
}

/** A sale as a checkout writes it, and a scan as a gate does, each announced: neither is an operation of the registry yet. */
async function perTicket(table: Table, recorder: Recorder): Promise<readonly [string, Recorded][]> {
  const eventId = eventIdOf(orgId);
  const announcing = (type: string) => {
    const example = webhookEventExamples.find((event) => event.type === type);
    if (example === undefined) throw new Error(`There is no example of ${type}.`);
    return () => announce(table, orgId, { type: example.type, data: example.data }, Date.now());
  };
  const ticket = aTicket();
  const sale = aSale({
    eventId,
    firstName: 'Ada',
    lastName: 'Lovelace',
    emailAddress: 'ada@example.com',
    tickets: [ticket],
  });
  const sold = await recorder.during(() =>
    recordSale(table, orgId, sale, {
      beside: () => [takeStock(table, orgId, { eventId, index: 1 }, 1)],
      along: announcing('order.completed'),
    }),
  );
  const scan = aScan(ticket.barcode, { eventId });
  const scanned = await recorder.during(() =>
    recordScan(table, { orgId, scan, nonce: 'bench' }, { along: announcing('ticket.scanned') }),
  );
  return [
    ['ticket sold (order of one)', sold],
    ['ticket scanned', scanned],
  ];
}

/** On the bus, through a queue to the fan-out, through another to one endpoint: sent, received, deleted. */
const announced = { events: 1, sqsRequests: 6, invocations: 3, lambdaMs: 3 * 3 * assumed.roundTripMs };

function dollarsOf({ operation, cpuMs, depth, readUnits, writeUnits, messages }: Measured): number {
  const emits = operation.emits.length > 0;
  return dollarsPerMillion({
    requests: 1,
    invocations: 1 + (emits ? announced.invocations : 0),
    lambdaMs: cpuMs + depth * assumed.roundTripMs + (emits ? announced.lambdaMs : 0),
    memoryGb: assumed.memoryGb * (operation.streamed ? 2 : 1),
    readUnits,
    writeUnits,
    sqsRequests: messages + (emits ? announced.sqsRequests : 0),
    events: emits ? announced.events : 0,
  });
}

function findingsOf(measured: readonly Measured[], tickets: readonly [string, Recorded][]) {
  const rows = measured.map((one) => {
    const least = leastUnits(one.operation, one.bytes);
    const [units, fewest] = [one.readUnits + one.writeUnits, least.readUnits + least.writeUnits];
    return { ...one, least, ratio: fewest === 0 ? 1 : units / fewest, readRatio: one.readUnits / least.readUnits };
  });
  const table: FigureTable = {
    title: 'Operations',
    columns: [
      'operation',
      'calls',
      'depth',
      'read u',
      'write u',
      'least read',
      'least write',
      'ratio',
      'bytes',
      'CPU ms',
      '$/million',
    ],
    rows: rows.map((one) => [
      one.operation.id,
      one.calls,
      one.depth,
      one.readUnits,
      one.writeUnits,
      one.least.readUnits,
      one.least.writeUnits,
      one.ratio,
      one.bytes,
      one.cpuMs,
      dollarsOf(one),
    ]),
  };
  const ticketTable: FigureTable = {
    title: 'Per ticket',
    columns: ['what', 'calls', 'depth', 'read u', 'write u', '$/million'],
    rows: tickets.map(([what, { calls, depth, readUnits, writeUnits }]) => {
      const lambdaMs = 5 + depth * assumed.roundTripMs + announced.lambdaMs;
      const spent = {
        ...announced,
        requests: 1,
        invocations: 1 + announced.invocations,
        lambdaMs,
        readUnits,
        writeUnits: writeUnits + 1,
      };
      return [what, calls, depth, readUnits, writeUnits, dollarsPerMillion(spent)];
    }),
  };
  const pages = rows.filter(({ operation }) => operation.id in pageQueries || operation.id === 'list-event-scans');
  return {
    notes: [
      `One organisation with ${crowd.members} each of members, customers, orders and scans. Pages of 100.`,
      'Units of single calls as DynamoDB Local reports them; of transactions from the sizes of their items: 2 write units for each KB begun, and 1 for each KB in each index.',
      'Least: 1 write for the door; half a read unit for each 4 KB of the answer; for a change, each KB of it once, twice together with its event.',
      `Prices of ${prices.region} as of ${prices.asOf}. Lambda: CPU ms of this machine and ${assumed.roundTripMs} ms for each round trip, at 512 MB (1 GB where streamed). What is announced: bus, two queues and one endpoint.`,
      'A sale and a scan are priced with one request, the door and their event; what a payment provider takes is not in it.',
    ],
    tables: [table, ticketTable],
    curves: [],
    targets: pages.map(({ operation, readRatio }) =>
      atMost({
        name: `read units of a page over the least: ${operation.id}`,
        value: readRatio,
        limit: 1.25,
        why: whyPages[operation.id] ?? '',
      }),
    ),
  };
}

const whyPages: Readonly<Record<string, string>> = {
  'list-event-orders':
    'Its rows are read consistently, which costs twice as much, so that an order is in the list as soon as it was answered. Reading the pages behind the first at half the price would need the first to be told apart in what is promised.',
};
