import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { webhookEndpointKey } from '../../shared/data/table/keys.ts';
import { readEndpointState } from '../../shared/data/webhooks/endpoint-state.ts';
import { hang, startReceiver } from '../../test/support/webhooks/receiver.ts';
import type { Stand } from '../harness/bench-table.ts';
import { DeliveryStand, orgId } from '../harness/delivery-harness.ts';
import type { FigureTable } from '../report/figures.ts';

const everyMs = 200;
const alone = 50;
/** Long enough for the first posts to the endpoint that hangs to come to their end, and for its circuit to open. */
const besideHanging = 100;

export interface Latencies {
  readonly table: FigureTable;
  /** The median of the good endpoint's latencies beside a hanging one, over the median without. */
  readonly ratio: number;
}

/** From the commit of a change to the arrival of its event at an endpoint that is well, alone and beside one that never answers. */
export async function measureLatency(stand: Stand): Promise<Latencies> {
  const table = stand.open();
  const delivery = new DeliveryStand(table);
  const arrivedMs = new Map<string, number>();
  const receiver = await startReceiver((arrival, response) => {
    arrivedMs.set(arrival.headers['webhook-id'] ?? '', performance.now());
    response.writeHead(200).end();
  });
  const hanging = await startReceiver(hang);
  try {
    const good = await delivery.givenEndpoint(receiver.url, 100);
    const latencies = async (count: number): Promise<number[]> => {
      const happened: { eventId: string; committedMs: number }[] = [];
      for (let index = 0; index < count; index += 1) {
        const [event] = await Promise.all([delivery.happen(), sleep(everyMs)]);
        happened.push(event);
      }
      await sleep(2_000);
      return happened.map(({ eventId, committedMs }) => (arrivedMs.get(eventId) ?? Number.NaN) - committedMs);
    };
    await latencies(10);
    const before = await latencies(alone);
    const bad = await delivery.givenEndpoint(hanging.url, 100);
    const callerItems = await latencies(besideHanging);
    const { openedMs } = await readEndpointState(table, { orgId, endpointId: bad.endpointId });
    if (delivery.failures.length > 0) throw delivery.failures[0];
    for (const { endpointId } of [good, bad])
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: webhookEndpointKey(orgId, endpointId) }));
    return {
      ratio: quantile(callerItems, 0.5) / quantile(before, 0.5),
      table: {
        title: 'From commit to arrival, milliseconds',
        columns: ['what', 'events', 'p50', 'p95', 'most', 'not arrived'],
        rows: [
          row('an endpoint that is well', before),
          row('the same beside one that never answers', callerItems),
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
