import { setTimeout as sleep } from 'node:timers/promises';
import { writeOrder } from '../../shared/data/orders/write.ts';
import { operations } from '../../shared/operations/registry.ts';
import { anOrder, aTicket } from '../../tools/fixtures/orders.ts';
import { startAwsStubs } from '../harness/aws-stubs.ts';
import { type BenchTable, startBenchTable } from '../harness/bench-table.ts';
import { DeliveryHarness } from '../harness/delivery-harness.ts';
import { givenOrganisationOfSize, startFilledTable } from '../harness/filled-table.ts';
import { operationCaller } from '../harness/operation-caller.ts';
import { rareName } from '../harness/population.ts';
import { type ReceiverProcess, startReceiverProcess } from '../harness/receiver-process.ts';
import type { MeasurePart } from '../measure-part.ts';
import { type FigureTable, median } from '../report/figures.ts';

const perPage = 50;
const rounds = 7;
const callsPerRound = 5;
const events = { warmUp: 5, measured: 20 };

/** Our own side of the section "Beside other systems" in the report. The other systems are not part of this project. */
export const measurePeers: MeasurePart = async ({ largest, progress }) => {
  const awsStubs = await startAwsStubs();
  const sizes = [1_000, Math.min(largest, 50_000)];
  try {
    const deliveries = await measureDeliveries(progress);
    const benchTable = await startFilledTable(
      sizes.map((size) => ({ rows: 'sales', size })),
      progress,
    );
    try {
      const requests: RequestCpu[][] = [];
      for (const size of sizes) requests.push(await measureRequests(benchTable, size, progress));
      return { notes, tables: [deliveries, requestTable(sizes, requests)], curves: [], targets: [] };
    } finally {
      await benchTable.stop();
    }
  } finally {
    awsStubs.stop();
  }
};

const notes = [
  'Our side of "Beside other systems", without the local API Gateway, the local IAM and DynamoDB Local: CPU time of the process that runs the functions. The figures in that section were measured with all processes of each system, so only ratios of one column can be compared.',
  `Deliveries: ${events.measured} events, each to ten endpoints or to one, from the commit to the recorded outcome: publishing, fan-out and sending, after ${events.warmUp} events that warm up.`,
  `Requests: one event with 1,000 or up to 50,000 orders, pages of ${perPage}; medians of ${rounds} rounds of ${callsPerRound} requests.`,
];

async function measureDeliveries(progress: (text: string) => void): Promise<FigureTable> {
  const rows: FigureTable['rows'] = [];
  for (const endpoints of [10, 1]) {
    progress(`deliveries to ${endpoints} endpoints`);
    const benchTable = await startBenchTable();
    const receiver = await startReceiverProcess();
    try {
      const harness = new DeliveryHarness(benchTable.open());
      for (let index = 0; index < endpoints; index += 1) await harness.givenEndpoint(receiver.url, 1_000);
      await deliverEvents(harness, receiver, events.warmUp, endpoints);
      const cpuMs = await cpuOf(() => deliverEvents(harness, receiver, events.measured, endpoints));
      if (harness.failures.length > 0) throw harness.failures[0];
      rows.push([endpoints === 1 ? 'one endpoint' : `${endpoints} endpoints`, cpuMs / (events.measured * endpoints)]);
    } finally {
      receiver.stop();
      await benchTable.stop();
    }
  }
  return { title: 'CPU ms for each webhook delivery, whole sender', columns: ['what', 'CPU ms'], rows };
}

/** Publishes events and waits until all their deliveries have arrived and their outcomes had time to be recorded. */
async function deliverEvents(
  harness: DeliveryHarness,
  receiver: ReceiverProcess,
  count: number,
  endpoints: number,
): Promise<void> {
  const expected = (await receiver.received()) + count * endpoints;
  for (let index = 0; index < count; index += 1) await harness.publishEvent();
  while ((await receiver.received()) < expected) await sleep(100);
  await sleep(500);
}

interface RequestCpu {
  readonly name: string;
  readonly cpuMs: number;
}

async function measureRequests(
  benchTable: Pick<BenchTable, 'open'>,
  size: number,
  progress: (text: string) => void,
): Promise<RequestCpu[]> {
  const table = benchTable.open();
  const { orgId, eventId, key } = await givenOrganisationOfSize(table, size);
  const barcodes = Array.from({ length: (1 + rounds) * callsPerRound }, (_, index) => `PEERS${size}N${index}`).values();
  const pages = Math.floor(size / perPage);
  const page = (number: number) => ({ limit: String(perPage), page_number: String(number) });
  const requests = [
    ['orders, first page', 'list-event-orders', page(1)],
    ['orders, middle page by number', 'list-event-orders', page(Math.floor(pages / 2))],
    ['orders, last page by number', 'list-event-orders', page(pages)],
    ['orders, search by name, 5 found', 'list-event-orders', { limit: String(perPage), search: rareName }],
    ['statistics by price', 'event-stats-by-price', {}],
    ['statistics by price category', 'event-stats-by-price-category', {}],
    ['scan', 'record-scan', {}],
  ] as const;
  const measured: RequestCpu[] = [];
  for (const [name, id, query] of requests) {
    progress(`${size}: ${name}`);
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const call = await operationCaller(table, operation);
    const send = async (): Promise<void> => {
      const barcode = id === 'record-scan' ? await sold(barcodes.next().value ?? '') : undefined;
      const before = process.cpuUsage();
      const { status, body } = await call({
        params: { event_id: String(eventId) },
        query: { ...query },
        headers: { Authorization: `Bearer ${key}` },
        ...(barcode !== undefined && { body: { barcode } }),
      });
      const { user, system } = process.cpuUsage(before);
      spentMs += (user + system) / 1000;
      if (status !== operation.output.status) throw new Error(`${id} returned ${status}: ${body.slice(0, 300)}`);
    };
    let spentMs = 0;
    const each: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      spentMs = 0;
      for (let index = 0; index < callsPerRound; index += 1) await send();
      // The first round warms up.
      if (round > 0) each.push(spentMs / callsPerRound);
    }
    measured.push({ name, cpuMs: median(each) });
  }
  return measured;

  async function sold(barcode: string): Promise<string> {
    await writeOrder(table, orgId, anOrder({ eventId, tickets: [aTicket({ barcode })] }));
    return barcode;
  }
}

function requestTable(sizes: readonly number[], requests: readonly (readonly RequestCpu[])[]): FigureTable {
  const [small = [], large = []] = requests;
  return {
    title: 'CPU ms of a request as an event grows',
    columns: ['what', ...sizes.map((size) => `${size.toLocaleString('en-US')} orders`), 'ratio'],
    rows: small.map(({ name, cpuMs }, index) => {
      const grown = large[index]?.cpuMs ?? cpuMs;
      return [name, cpuMs, grown, grown / cpuMs];
    }),
  };
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
