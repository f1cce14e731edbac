import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { createContractFixture, eventIdOf } from '../../tools/fixtures/contract/contract-fixture.ts';
import { paramsOf } from '../../tools/fixtures/contract/examples.ts';
import { givenFullConfig } from '../../tools/fixtures/membership.ts';
import { startAwsStubs } from '../harness/aws-stubs.ts';
import { bareRepeat, callsOf, type SentCall } from '../harness/bare-calls.ts';
import { type BenchTable, startBenchTable } from '../harness/bench-table.ts';
import { operationCaller } from '../harness/operation-caller.ts';
import { populationItems } from '../harness/population.ts';
import type { MeasurePart } from '../measure-part.ts';
import { atMost, median } from '../report/figures.ts';
import { pdfFindings } from './pdf-cpu.ts';

const orgId = 'org_bench';
const population = { members: 1_000, customers: 1_000, orders: 1_000, scans: 900 };
const rounds = 11;
const callsPerRound = 15;
/** Until V8 has optimised the code of both: a deployed function answers thousands of requests. */
const warmUpCalls = 300;

interface Compared {
  readonly id: string;
  readonly query: Record<string, string>;
  /** The calls of the operation that the bare client repeats. */
  readonly repeated: (calls: readonly SentCall[]) => readonly SentCall[];
  readonly limit: number;
}

/** The Query that returned the rows of the page, and the write of the request log. */
const pageAndLog = (calls: readonly SentCall[]): readonly SentCall[] => [
  ...[...calls].sort((one, other) => other.rows - one.rows).slice(0, 1),
  ...calls.filter(({ command }) => command === 'PutItemCommand'),
];

const pageOf = (id: string): Compared => ({ id, query: { limit: '100' }, repeated: pageAndLog, limit: 2.5 });

const compared: readonly Compared[] = [
  pageOf('list-members'),
  pageOf('list-customers'),
  pageOf('list-event-scans'),
  pageOf('list-event-orders'),
  { id: 'retrieve-organisation', query: {}, repeated: (calls) => calls, limit: 1.5 },
];

interface Measured extends Compared {
  readonly calls: number;
  readonly cpuMs: number;
  readonly bareMs: number;
  readonly ratio: number;
}

export const measureCpu: MeasurePart = async ({ progress }) => {
  const awsStubs = await startAwsStubs();
  const benchTable = await startBenchTable();
  try {
    const table = benchTable.open();
    await givenOrganisation(table, orgId);
    const key = (await givenKey(table, orgId)).text;
    await createContractFixture(table, orgId);
    await givenFullConfig(table, orgId);
    await benchTable.fill(populationItems({ orgId, eventId: eventIdOf(orgId) }, population));
    const measured: Measured[] = [];
    for (const one of compared) {
      progress(one.id);
      measured.push(await measure(one, benchTable, key));
    }
    const { note, table: ofPdfs, targets } = pdfFindings(progress);
    const found = findingsOf(measured);
    return {
      notes: [...found.notes, note],
      tables: [...found.tables, ofPdfs],
      targets: [...found.targets, ...targets],
    };
  } finally {
    await benchTable.stop();
    awsStubs.stop();
  }
};

async function measure(one: Compared, benchTable: BenchTable, key: string): Promise<Measured> {
  const operation = operations.find(({ id }) => id === one.id);
  if (operation === undefined) throw new Error(`There is no operation ${one.id}.`);
  const call = await requestOf(operation, one, benchTable.open(), key);
  const recorded = benchTable.open();
  const calls = await callsOf(recorded, await requestOf(operation, one, recorded, key));
  const bare = bareRepeat(benchTable.endpoint, one.repeated(calls));
  await cpuOf(call, warmUpCalls);
  await cpuOf(bare, warmUpCalls);
  const rows = { own: [] as number[], bare: [] as number[], ratio: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const [own, other] = [await cpuOf(call, callsPerRound), await cpuOf(bare, callsPerRound)];
    rows.own.push(own);
    rows.bare.push(other);
    rows.ratio.push(own / other);
  }
  return {
    ...one,
    calls: calls.length,
    cpuMs: median(rows.own),
    bareMs: median(rows.bare),
    ratio: median(rows.ratio),
  };
}

async function requestOf(
  operation: Operation,
  { query }: Compared,
  table: ReturnType<BenchTable['open']>,
  key: string,
): Promise<() => Promise<unknown>> {
  const call = await operationCaller(table, operation);
  return async () => {
    const { status, body } = await call({
      params: paramsOf(operation, orgId),
      query,
      headers: { Authorization: `Bearer ${key}` },
    });
    if (status !== 200) throw new Error(`${operation.id} returned ${status}: ${body.slice(0, 300)}`);
  };
}

/** The CPU time of one call in milliseconds. */
async function cpuOf(work: () => Promise<unknown>, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < times; call += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

function findingsOf(measured: readonly Measured[]) {
  return {
    notes: [
      `A page of 100 of the lists of members, customers, scans and orders, and retrieve-organisation, in one organisation with ${population.members} of each. ${rounds} rounds of ${callsPerRound} requests one after the other, alternating with the baseline in the same process; medians.`,
      "The baseline of a page is one Query for the same rows with the SDK's own client as it is delivered, unmarshalling, JSON.stringify of the rows, and the write of the request log. The operation also authenticates (a write), reads the event, the total or one row more, validates every row that it reads, builds the resources, and validates those.",
      'The baseline of retrieve-organisation is its own three calls, the write that authenticates, the read and the write of the request log, with that client.',
    ],
    tables: [
      {
        title: 'CPU over the bare client',
        columns: ['operation', 'table calls', 'CPU ms', 'bare client ms', 'ratio'],
        rows: measured.map(({ id, calls, cpuMs, bareMs, ratio }) => [id, calls, cpuMs, bareMs, ratio]),
      },
    ],
    targets: measured.map(({ id, ratio, limit, calls }) =>
      atMost({
        name: `cpu: ${id} over the bare client`,
        value: ratio,
        limit,
        why: `The operation makes ${calls} table calls, and each takes the SDK about a millisecond; the baseline of a page makes two. To reach the target: a client with less CPU for each call, or fewer calls.`,
      }),
    ),
  };
}
