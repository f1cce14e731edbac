import type { Table } from '../../shared/data/table/table.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { createContractFixture, eventIdOf, fanToken } from '../../test/contract/contract-fixture.ts';
import { bodyOf, paramsOf, prepare, queryOf } from '../../test/contract/examples.ts';
import { givenKey, givenOrganisation } from '../../test/support/auth.ts';
import { givenFullConfig } from '../../test/support/membership.ts';
import { type Neighbours, startNeighbours } from '../harness/aws-stubs.ts';
import { startStand } from '../harness/bench-table.ts';
import { type Recorded, Recorder } from '../harness/call-recorder.ts';
import { type Ask, operationOn } from '../harness/operation-caller.ts';
import { crowdBarcode, crowdItems, crowdMemberId } from '../harness/population.ts';
import type { MeasurePart } from '../parts.ts';
import { assumed, dollarsPerMillion } from '../prices.ts';
import { atMost, type FigureTable, median } from '../report/figures.ts';
import { leastUnits, readsLatest } from './minimum-units.ts';
import { operationNotes } from './operation-notes.ts';

const orgId = 'org_bench';
/** Some tickets are left for the gate. */
const crowd = { members: 1_000, customers: 1_000, orders: 1_000, scans: 900 };
/** The first call of an operation warms it up. */
const repeats = 5;

/** Lists are asked for the page that most clients walk with. */
const pageQueries: Readonly<Record<string, Record<string, string>>> = {
  'list-members': { limit: '100' },
  'list-customers': { limit: '100' },
  'list-event-orders': { limit: '100' },
};

/** Each run changes something that is still as it was: a repeat would cost less. */
const freshBodies: Readonly<Record<string, (run: number) => Record<string, unknown>>> = {
  'fulfil-members': (run) => ({ members: [{ membership_member_id: crowdMemberId(run) }] }),
  'record-scan': (run) => ({ barcode: crowdBarcode(crowd.scans + run) }),
};
const freshParams: Readonly<Record<string, (run: number) => Record<string, string>>> = {
  'set-tracking-code': (run) => ({ membership_member_id: String(crowdMemberId(100 + run)) }),
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
    const recorder = new Recorder(stand.open(), table);
    await givenOrganisation(table, orgId);
    const key = (await givenKey(table, orgId)).text;
    await createContractFixture(table, orgId);
    await givenFullConfig(table, orgId);
    await stand.fill(crowdItems({ orgId, eventId: eventIdOf(orgId) }, crowd));
    const measured: Measured[] = [];
    for (const operation of operations) {
      progress(operation.id);
      measured.push(await measure(operation, { table, recorder, neighbours, key }));
    }
    return findingsOf(measured);
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
  const [ask, watched] = [await operationOn(table, operation), await operationOn(recorder.table, operation)];
  const runs: Omit<Measured, 'cpuMs'>[] = [];
  const cpuMs: number[] = [];
  for (let run = 0; run < repeats; run += 1) {
    await prepare(operation, table, orgId);
    const sent = neighbours.messages();
    let bytes = 0;
    const recorded = await recorder.during(async () => {
      bytes = await answeredBytes(operation, watched, key, run);
    });
    runs.push({ ...recorded, operation, bytes, messages: neighbours.messages() - sent });
    // Once more, on a client whose calls nobody writes down: what that takes must not be in the CPU.
    await prepare(operation, table, orgId);
    const before = process.cpuUsage();
    await answeredBytes(operation, ask, key, repeats + run);
    const { user, system } = process.cpuUsage(before);
    cpuMs.push((user + system) / 1000);
  }
  const byUnits = [...runs].sort((a, b) => a.readUnits + a.writeUnits - b.readUnits - b.writeUnits);
  // A write that is repeated may find nothing left to change; a read may find a page remembered.
  const chosen = operation.method !== 'GET' ? byUnits.at(-1) : byUnits[0];
  if (chosen === undefined) throw new Error('Nothing was measured.');
  return { ...chosen, cpuMs: median(cpuMs.slice(1)) };
}

async function answeredBytes(operation: Operation, ask: Ask, key: string, run: number): Promise<number> {
  const body = freshBodies[operation.id]?.(run) ?? bodyOf(operation, orgId);
  const {
    status,
    bytes,
    body: text,
  } = await ask({
    params: freshParams[operation.id]?.(run) ?? paramsOf(operation, orgId),
    query: { ...queryOf(operation), ...pageQueries[operation.id] },
    headers: {
      ...(operation.auth.kind !== 'public' && { Authorization: `Bearer ${key}` }),
      ...(operation.auth.ssoUser && { 'X-SSO-Token': fanToken }),
    },
    ...(Object.keys(operation.input.body.entries).length > 0 && { body }),
  });
  if (status !== operation.output.status) throw new Error(`${operation.id} answered ${status}: ${text.slice(0, 300)}`);
  return bytes;
}

/**
 * On the bus, through a queue to the fan-out, through another to one endpoint: sent, received, deleted. The units are those of the
 * fan-out (endpoints read, a delivery and its hint written, the event's hint removed) and of a delivery (part webhooks).
 */
const announced = {
  events: 1,
  sqsRequests: 6,
  invocations: 3,
  lambdaMs: 3 * 3 * assumed.roundTripMs,
  readUnits: 1 + 4,
  writeUnits: 5 + 7,
};

function dollarsOf({ operation, cpuMs, depth, readUnits, writeUnits, messages, announcedBytes }: Measured): number {
  const more = announcedBytes > 0 ? announced : undefined;
  return dollarsPerMillion({
    requests: 1,
    invocations: 1 + (more?.invocations ?? 0),
    lambdaMs: cpuMs + depth * assumed.roundTripMs + (more?.lambdaMs ?? 0),
    memoryGb: assumed.memoryGb * (operation.output.streamed ? 2 : 1),
    readUnits: readUnits + (more?.readUnits ?? 0),
    writeUnits: writeUnits + (more?.writeUnits ?? 0),
    sqsRequests: messages + (more?.sqsRequests ?? 0),
    events: more?.events ?? 0,
  });
}

/** What a fan and a gate ask for, one ticket at a time. */
const perTicket: Readonly<Record<string, readonly string[]>> = {
  'ticket sold (open-basket, add-basket-item, check-out-basket)': [
    'open-basket',
    'add-basket-item',
    'check-out-basket',
  ],
  'ticket scanned (record-scan)': ['record-scan'],
  'ticket sold and scanned': ['open-basket', 'add-basket-item', 'check-out-basket', 'record-scan'],
};

function ticketTable(measured: readonly Measured[]): FigureTable {
  return {
    title: 'Per ticket',
    columns: ['what', 'calls', 'read u', 'write u', '$/million'],
    rows: Object.entries(perTicket).map(([what, ids]) => {
      const own = measured.filter(({ operation }) => ids.includes(operation.id));
      if (own.length !== ids.length) throw new Error(`Not every operation of "${what}" was measured.`);
      const sum = (of: (one: Measured) => number): number => own.reduce((total, one) => total + of(one), 0);
      return [
        what,
        sum(({ calls }) => calls),
        sum((one) => one.readUnits),
        sum((one) => one.writeUnits),
        sum(dollarsOf),
      ];
    }),
  };
}

function readingOf(one: Measured): string | null {
  if (one.readBytes === 0) return null;
  return readsLatest(one) ? 'latest' : 'eventual';
}

function findingsOf(measured: readonly Measured[]) {
  const rows = measured.map((one) => {
    const least = leastUnits(one.operation, one.bytes, one);
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
      'reads',
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
      readingOf(one),
      one.bytes,
      one.cpuMs,
      dollarsOf(one),
    ]),
  };
  const pages = rows.filter(({ operation }) => operation.id in pageQueries || operation.id === 'list-event-scans');
  return {
    notes: operationNotes(crowd.members),
    tables: [table, ticketTable(measured)],
    curves: [],
    targets: pages.map(({ operation, readRatio }) =>
      atMost({
        name: `read units of a page over the least: ${operation.id}`,
        value: readRatio,
        limit: 1.25,
      }),
    ),
  };
}
