import type { Table } from '../../shared/data/table/table.ts';
import { needsFanToken, type Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { createContractFixture, eventIdOf, fanToken } from '../../tools/fixtures/contract/contract-fixture.ts';
import { bodyOf, paramsOf, prepare, queryOf } from '../../tools/fixtures/contract/examples.ts';
import { givenCustomer } from '../../tools/fixtures/customers.ts';
import { givenFullConfig } from '../../tools/fixtures/membership.ts';
import { type AwsStubs, startAwsStubs } from '../harness/aws-stubs.ts';
import { startBenchTable } from '../harness/bench-table.ts';
import { CallRecorder, type RecordedCalls } from '../harness/call-recorder.ts';
import { givenManyPrices, manyPricesParams } from '../harness/many-prices.ts';
import { type CallOperation, operationCaller } from '../harness/operation-caller.ts';
import { benchBarcode, benchMemberId, populationItems } from '../harness/population.ts';
import type { MeasurePart } from '../measure-part.ts';
import { assumed, prices } from '../prices.ts';
import { atMost, type FigureTable, median } from '../report/figures.ts';
import { minimumUnits, readsConsistently } from './minimum-units.ts';
import { dollarsOf } from './operation-dollars.ts';
import { changeTargets } from './operation-limits.ts';
import { knownBuyer, newBuyer, newCustomer, saleTargets, withArguedWrites } from './sale-writes.ts';

const orgId = 'org_bench';
/** Fewer scans than orders, so record-scan finds tickets that were not scanned yet. */
const population = { members: 1_000, customers: 1_000, orders: 1_000, scans: 900 };
/** The first call of an operation warms it up. */
const repeats = 5;

/** The page size that most clients use. */
const pageQueries: Readonly<Record<string, Record<string, string>>> = {
  'list-members': { limit: '100' },
  'list-customers': { limit: '100' },
  'list-event-orders': { limit: '100' },
  'list-orders': { limit: '100' },
  'list-event-tickets': { limit: '1000' },
};

/** Further rows of an operation, for requests that cost something else. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'record-scan': ['record-scan, with a nonce'],
  'check-out-basket': [newCustomer],
};

const freshBarcode = (run: number) => ({ barcode: benchBarcode(population.scans + run) });

/** Each run changes another record, because repeating a change costs less. By the name of the row. */
const freshBodies: Readonly<Record<string, (run: number) => Record<string, unknown>>> = {
  'fulfil-members': (run) => ({ members: [{ membership_member_id: benchMemberId(run) }] }),
  'record-scan': freshBarcode,
  'record-scan, with a nonce': (run) => ({ ...freshBarcode(2 * repeats + run), nonce: `scan-${run}` }),
  [newCustomer]: newBuyer,
};
const freshParams: Readonly<Record<string, (run: number) => Record<string, string>>> = {
  'event-inventory': () => manyPricesParams(orgId),
  'set-tracking-code': (run) => ({ membership_member_id: String(benchMemberId(100 + run)) }),
};

interface Measured extends RecordedCalls {
  readonly operation: Operation;
  /** The row of the table: the operation, or one of its variants. */
  readonly name: string;
  readonly bytes: number;
  readonly cpuMs: number;
  readonly messages: number;
}

export const measureOperations: MeasurePart = async ({ progress }) => {
  const awsStubs = await startAwsStubs();
  const benchTable = await startBenchTable();
  try {
    const table = benchTable.open();
    const recorder = new CallRecorder(benchTable.open(), table);
    await givenOrganisation(table, orgId);
    const key = (await givenKey(table, orgId)).text;
    await createContractFixture(table, orgId);
    await givenFullConfig(table, orgId);
    await givenCustomer(table, orgId, knownBuyer);
    await givenManyPrices(table, orgId);
    await benchTable.fill(populationItems({ orgId, eventId: eventIdOf(orgId) }, population));
    const measured: Measured[] = [];
    for (const operation of operations) {
      for (const name of [operation.id, ...(variants[operation.id] ?? [])]) {
        progress(name);
        measured.push(await measure(operation, name, { table, recorder, awsStubs, key }));
      }
    }
    return findingsOf(measured);
  } finally {
    await benchTable.stop();
    awsStubs.stop();
  }
};

interface MeasureContext {
  readonly table: Table;
  readonly recorder: CallRecorder;
  readonly awsStubs: AwsStubs;
  readonly key: string;
}

async function measure(
  operation: Operation,
  name: string,
  { table, recorder, awsStubs, key }: MeasureContext,
): Promise<Measured> {
  const call = await operationCaller(table, operation);
  const recordedCall = await operationCaller(recorder.table, operation);
  const runs: Omit<Measured, 'cpuMs'>[] = [];
  const cpuMs: number[] = [];
  for (let run = 0; run < repeats; run += 1) {
    await prepare(operation, table, orgId);
    const sent = awsStubs.messages();
    let bytes = 0;
    const recorded = await recorder.record(async () => {
      bytes = await responseBytes(operation, name, recordedCall, { key, run });
    });
    runs.push({ ...recorded, operation, name, bytes, messages: awsStubs.messages() - sent });
    // Again on a client without a recorder, whose CPU time must not be measured.
    await prepare(operation, table, orgId);
    const before = process.cpuUsage();
    await responseBytes(operation, name, call, { key, run: repeats + run });
    const { user, system } = process.cpuUsage(before);
    cpuMs.push((user + system) / 1000);
  }
  const byUnits = [...runs].sort((a, b) => a.readUnits + a.writeUnits - b.readUnits - b.writeUnits);
  // A repeated write may find nothing left to change.
  const chosen = operation.method !== 'GET' ? byUnits.at(-1) : byUnits[0];
  if (chosen === undefined) throw new Error('Nothing was measured.');
  return { ...chosen, cpuMs: median(cpuMs.slice(1)) };
}

async function responseBytes(
  operation: Operation,
  name: string,
  call: CallOperation,
  { key, run }: { readonly key: string; readonly run: number },
): Promise<number> {
  const body = freshBodies[name]?.(run) ?? bodyOf(operation, orgId);
  const {
    status,
    bytes,
    body: text,
  } = await call({
    params: freshParams[operation.id]?.(run) ?? paramsOf(operation, orgId),
    query: { ...queryOf(operation), ...pageQueries[operation.id] },
    headers: {
      ...(operation.auth.kind !== 'public' && { Authorization: `Bearer ${key}` }),
      ...(needsFanToken(operation) && { 'X-SSO-Token': fanToken }),
    },
    ...(Object.keys(operation.input.body.entries).length > 0 && { body }),
  });
  if (status !== operation.output.status) throw new Error(`${operation.id} returned ${status}: ${text.slice(0, 300)}`);
  return bytes;
}

/** The operations that one ticket needs. */
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
      const own = measured.filter(({ name }) => ids.includes(name));
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

function consistencyOf(one: Measured): string | null {
  if (one.readBytes === 0) return null;
  return readsConsistently(one) ? 'consistent' : 'eventual';
}

const notes = [
  `Every operation of the registry, in one organisation with ${population.members} members, as many customers and orders, and nearly as many scans. First pages of 100.`,
  'ADR 29 says how units and the minimum are computed. The calls and writes of the payment sandbox are not counted.',
  `Prices of ${prices.region} as of ${prices.asOf}, from memory: check them before you quote a figure. Lambda: CPU ms of this machine and ${assumed.roundTripMs} ms for each round trip, at 1,769 MB, where a function has a whole core; workers at 512 MB. Operations that publish an event include the bus, two queues and one webhook endpoint.`,
];

function findingsOf(measured: readonly Measured[]) {
  const rows = measured.map((one) => {
    const minimum = withArguedWrites(minimumUnits(one.operation, one.bytes, one), one.name);
    const [units, fewest] = [one.readUnits + one.writeUnits, minimum.readUnits + minimum.writeUnits];
    return { ...one, minimum, ratio: fewest === 0 ? 1 : units / fewest, readRatio: one.readUnits / minimum.readUnits };
  });
  const table: FigureTable = {
    title: 'Operations',
    columns: [
      'operation',
      'calls',
      'depth',
      'read u',
      'write u',
      'min read',
      'min write',
      'ratio',
      'reads',
      'bytes',
      'CPU ms',
      '$/million',
    ],
    rows: rows.map((one) => [
      one.name,
      one.calls,
      one.depth,
      one.readUnits,
      one.writeUnits,
      one.minimum.readUnits,
      one.minimum.writeUnits,
      one.ratio,
      consistencyOf(one),
      one.bytes,
      one.cpuMs,
      dollarsOf(one),
    ]),
  };
  const pages = rows.filter(({ operation }) => operation.id in pageQueries || operation.id === 'list-event-scans');
  return {
    notes,
    tables: [table, ticketTable(measured)],
    targets: [
      ...pages.map(({ operation, readRatio, readUnits }) =>
        operation.id === 'list-orders'
          ? atMost({ name: 'read units of an order of list-orders', value: readUnits / 100, limit: 1.1 })
          : atMost({
              name: `read units of a page over the minimum: ${operation.id}`,
              value: readRatio,
              limit: 1.25,
            }),
      ),
      ...changeTargets(rows),
      ...saleTargets(measured),
      ...rows
        .filter(({ operation }) => operation.id.startsWith('retrieve-') && /-(?:pdf|pass)$/.test(operation.id))
        .map(({ name, cpuMs }) => atMost({ name: `CPU ms of a document: ${name}`, value: cpuMs, limit: 150 })),
    ],
  };
}
