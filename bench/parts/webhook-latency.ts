import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { webhookEndpointKey } from '../../shared/data/table/keys.ts';
import { readEndpointState } from '../../shared/data/webhooks/endpoint-state.ts';
import { hang, startReceiver } from '../../tools/fixtures/webhooks/receiver.ts';
import type { BenchTable } from '../harness/bench-table.ts';
import { DeliveryHarness, orgId } from '../harness/delivery-harness.ts';
import type { FigureTable } from '../report/figures.ts';

const everyMs = 200;
const alone = 50;
/** Enough events for the first POSTs to the hanging endpoint to time out, and for its circuit to open. */
const whileHanging = 100;

export interface Latencies {
  readonly table: FigureTable;
  /** The healthy endpoint's median latency while another endpoint hangs, over its median alone. */
  readonly ratio: number;
}

/** Measures the time from a commit to the arrival of its event at a healthy endpoint, alone and while another endpoint hangs. */
export async function measureLatency(benchTable: BenchTable): Promise<Latencies> {
  const table = benchTable.open();
  const delivery = new DeliveryHarness(table);
  const arrivedMs = new Map<string, number>();
  const receiver = await startReceiver((arrival, response) => {
    arrivedMs.set(arrival.headers['webhook-id'] ?? '', performance.now());
    response.writeHead(200).end();
  });
  const hanging = await startReceiver(hang);
  try {
    const good = await delivery.givenEndpoint(receiver.url, 100);
    const latencies = async (count: number): Promise<number[]> => {
      const published: { eventId: string; committedMs: number }[] = [];
      for (let index = 0; index < count; index += 1) {
        const [event] = await Promise.all([delivery.publishEvent(), sleep(everyMs)]);
        published.push(event);
      }
      await sleep(2_000);
      return published.map(({ eventId, committedMs }) => (arrivedMs.get(eventId) ?? Number.NaN) - committedMs);
    };
    await latencies(10);
    const before = await latencies(alone);
    const bad = await delivery.givenEndpoint(hanging.url, 100);
    const withHanging = await latencies(whileHanging);
    const { openedMs } = await readEndpointState(table, { orgId, endpointId: bad.endpointId });
    if (delivery.failures.length > 0) throw delivery.failures[0];
    for (const { endpointId } of [good, bad])
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: webhookEndpointKey(orgId, endpointId) }));
    return {
      ratio: quantile(withHanging, 0.5) / quantile(before, 0.5),
      table: {
        title: 'From commit to arrival, milliseconds',
        columns: ['what', 'events', 'p50', 'p95', 'most', 'missing'],
        rows: [
          row('a healthy endpoint', before),
          row('the same while another endpoint never responds', withHanging),
          ['POSTs that the hanging endpoint held', hanging.arrivals.length, null, null, null, null],
          [`its circuit at the end: ${openedMs === null ? 'closed' : 'open'}`, null, null, null, null, null],
        ],
      },
    };
  } finally {
    await receiver.stop();
    await hanging.stop();
  }
}

function row(what: string, latencies: readonly number[]): FigureTable['rows'][number] {
  const arrived = latencies.filter((ms) => !Number.isNaN(ms));
  const missing = latencies.length - arrived.length;
  return [what, latencies.length, quantile(arrived, 0.5), quantile(arrived, 0.95), Math.max(...arrived), missing];
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
