import type { WebhookEventType } from '../../shared/domain/webhooks/event-types.ts';
import type { FigureTable } from '../report/figures.ts';
import { startSimulatedCloud } from './cloud.ts';
import { simulateProcess } from './simulated-process.ts';
import { SimulatedWebhooks } from './webhooks.ts';

export interface DeliveriesReport {
  readonly scenario: 'deliveries';
  readonly seed: number;
  readonly answer_ms: number;
  readonly endpoints: readonly EndpointPace[];
  readonly timeline: Readonly<Record<string, readonly number[]>>;
}

/** What an endpoint got whose events come faster than its rate. */
interface EndpointPace {
  readonly max_rate_per_second: number;
  readonly reached_per_second: number;
  readonly most_in_a_second: number;
}

const orgId = 'org_deliveries';
const answerMs = 200;
const seconds = 24;
/** The rate is measured after the beginning, when the backlog is not there yet. */
const settleMs = 3_000;
const endpoints: readonly { readonly type: WebhookEventType; readonly rate: number }[] = [
  { type: 'order.completed', rate: 200 },
  { type: 'member.created', rate: 50 },
  { type: 'ticket.scanned', rate: 7 },
];

/** Endpoints that answer after 200 ms get a tenth more events than their rate, for long enough to have a backlog all the time. */
export async function simulateDeliveries(
  { seed }: { readonly seed: number },
  startMs: number,
): Promise<DeliveriesReport> {
  const { time, random } = simulateProcess(seed, startMs);
  const cloud = startSimulatedCloud({ time, random, warmThroughput: { read: 60_000, write: 40_000 } });
  const work = async (): Promise<DeliveriesReport> => {
    const webhooks = new SimulatedWebhooks(cloud);
    webhooks.receiver = { medianMs: answerMs, p99Ms: answerMs };
    const measured: EndpointPace[] = [];
    for (const { type, rate } of endpoints) {
      const url = await webhooks.givenEndpoint(orgId, type, rate);
      const beganMs = time.nowMs();
      const count = Math.ceil(1.1 * rate * seconds);
      await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          await time.sleep((index * seconds * 1000) / count);
          return webhooks.deliverOne(orgId, type);
        }),
      );
      const posted = (webhooks.postedMs.get(url) ?? []).map((ms) => ms - beganMs);
      measured.push({ max_rate_per_second: rate, ...paceOf(posted, settleMs, seconds * 1000) });
    }
    await cloud.stop();
    return { scenario: 'deliveries', seed, answer_ms: answerMs, endpoints: measured, timeline: {} };
  };
  return time.run(work());
}

function paceOf(
  postedMs: readonly number[],
  fromMs: number,
  untilMs: number,
): Pick<EndpointPace, 'reached_per_second' | 'most_in_a_second'> {
  const counted = postedMs.filter((ms) => ms >= fromMs && ms < untilMs).sort((a, b) => a - b);
  let first = 0;
  const most = counted.reduce((found, ms, last) => {
    while ((counted[first] ?? 0) <= ms - 1000) first += 1;
    return Math.max(found, last - first + 1);
  }, 0);
  return { reached_per_second: (1000 * counted.length) / (untilMs - fromMs), most_in_a_second: most };
}

export function deliveriesTables({ answer_ms, endpoints: measured }: DeliveriesReport): readonly FigureTable[] {
  return [
    {
      title: `Endpoints that answer after ${answer_ms} ms, with more events than their rate`,
      columns: ['max_rate_per_second', 'reached a second', 'most in a second'],
      rows: measured.map((one) => [one.max_rate_per_second, one.reached_per_second, one.most_in_a_second]),
    },
  ];
}
