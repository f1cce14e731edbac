import { DemoRandom } from '../../../local/demo/random.ts';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { readDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import type { EndpointRecord } from '../../../shared/data/webhooks/endpoint-row.ts';
import type { WebhookEventType } from '../../../shared/domain/webhooks/event-types.ts';
import { type EventReference, outboxItems } from '../../../shared/outbox/outbox.ts';
import { claimOverdue } from '../../../shared/outbox/sweep.ts';
import { deliverGroup, deliveryGroup } from '../../../shared/webhooks/deliver-group.ts';
import type { DeliveryDeps } from '../../../shared/webhooks/delivery-deps.ts';
import { type DeliveryMessage, parseDeliveryMessage } from '../../../shared/webhooks/delivery-messages.ts';
import { drainBacklog } from '../../../shared/webhooks/drain-backlog.ts';
import { fanOut } from '../../../shared/webhooks/fan-out.ts';
import { createSend } from '../../../shared/webhooks/send.ts';
import { settleEvents } from '../../../shared/webhooks/settle-events.ts';
import { sweepBacklogs, sweepDeliveries } from '../../../shared/webhooks/sweep.ts';
import { CrashPoint, crashingTable } from '../faults/crashing-deps.ts';
import { createTestTable, testClientConfig } from '../table.ts';
import { DeliverySimulation } from './delivery-simulation.ts';
import { FaultyQueue } from './faulty-queue.ts';
import { rethrowFailures } from './rethrow-failures.ts';
import { ScriptedReceiver } from './scripted-receiver.ts';
import { VirtualTime } from './virtual-time.ts';

/** What one function works with. */
interface Work extends DeliveryDeps {
  readonly sendDeliveries: (messages: readonly DeliveryMessage[]) => Promise<void>;
  readonly publish: (event: EventReference) => Promise<void>;
}

interface Job {
  readonly run: (work: Work) => Promise<void>;
  /** About how many outside calls a function makes for it. It may crash at any of them. */
  readonly calls: number;
  /** A new delivery, which is handled in a batch with others. */
  readonly delivery?: ReceivedDelivery;
}

type ReceivedDelivery = Parameters<typeof deliverGroup>[1][number];

interface SendCall {
  readonly post: Parameters<DeliveryDeps['send']>[0];
  readonly clock: Parameters<DeliveryDeps['send']>[1];
  readonly onSlow: Parameters<DeliveryDeps['send']>[2];
}

interface Sent {
  readonly endpointId: string;
  readonly eventId: string;
}

const minuteMs = 60_000;
const maxAtOnce = 30;
const answerLimitMs = 15_000;
/** After this time a response is slow. */
const slowMs = 250;
/** The message of a crashed function becomes visible again after this time. */
const visibilityMs = 360_000;

/**
 * Events, queues and many concurrent functions, delivering over real HTTP to real receivers in virtual time. It uses
 * the table and the clock of DeliverySimulation, which runs one function at a time, and injects faults.
 */
export class ConcurrentDeliverySimulation {
  readonly simulation: DeliverySimulation;
  readonly queue: FaultyQueue<Job>;
  readonly receivers: ScriptedReceiver[] = [];
  kills = 0;
  /** Endpoint and event of deliveries that were acknowledged to a function that crashed before it could store that. */
  readonly unrecorded: string[] = [];
  readonly errors: unknown[] = [];
  readonly #random: DemoRandom;
  readonly #time: VirtualTime;
  readonly #table: Table;
  readonly #crashingDeps: Table[] = [];
  readonly #post = createSend({ allowLoopback: true });
  readonly #postWithShortTimeout = createSend({ allowLoopback: true }, { limits: { totalMs: 60 } });
  #running = 0;
  #lastSweptMs: number;

  constructor(simulation: DeliverySimulation, seed: number) {
    this.simulation = simulation;
    this.#random = new DemoRandom(seed);
    this.queue = new FaultyQueue(simulation, this.#random);
    this.#time = new VirtualTime(simulation);
    this.#table = this.#freezeTimeDuringCalls(openTable(simulation.table.name, testClientConfig()));
    this.#lastSweptMs = simulation.nowMs;
  }

  static async create(seed: number): Promise<ConcurrentDeliverySimulation> {
    return new ConcurrentDeliverySimulation(new DeliverySimulation((await createTestTable()).table), seed);
  }

  async stop(): Promise<void> {
    for (const { client } of [this.#table, ...this.#crashingDeps]) client.destroy();
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
  }

  async givenReceiver(settings: Partial<EndpointRecord> = {}): Promise<ScriptedReceiver> {
    const receiver = await ScriptedReceiver.start(this.simulation, () => this.#random.next(), settings);
    this.receivers.push(receiver);
    return receiver;
  }

  /** Events happen now, and the stream publishes them. */
  publishEvents(types: readonly WebhookEventType[]): Promise<string[]> {
    const { orgId, nowMs } = this.simulation;
    return Promise.all(
      types.map(async (type) => {
        const items = outboxItems(this.#table, orgId, { type, data: {} }, { nowMs, requestId: 'req-1' });
        await transact(this.#table, items);
        const eventId = String(items[0]?.Put?.Item?.sk);
        this.#publish({ orgId, eventId, type });
        return eventId;
      }),
    );
  }

  #publish(event: EventReference): void {
    const { orgId } = event;
    this.queue.put({ run: (work) => fanOut({ ...work, nowMs: work.clock.nowMs() }, orgId, [event]), calls: 6 });
  }

  /** Advances the time. The sweepers run every minute, or, when nothing else is scheduled, when something is due. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.simulation.nowMs + ms;
    while (this.simulation.nowMs < untilMs) {
      this.#startVisible();
      await this.#time.untilIdle();
      if (this.#nextVisibleMs() <= this.simulation.nowMs) continue;
      const sweepMs = await this.#nextSweepMs();
      this.#time.moveTo(Math.min(this.#nextVisibleMs(), this.#time.nextWakeMs, sweepMs, untilMs));
      if (this.simulation.nowMs >= sweepMs) this.#startSweeps();
    }
    await this.#time.untilIdle();
  }

  #nextVisibleMs(): number {
    return this.#running < maxAtOnce ? this.queue.nextVisibleMs : Number.POSITIVE_INFINITY;
  }

  async #nextSweepMs(): Promise<number> {
    const soonestMs = this.#lastSweptMs + minuteMs;
    if (this.#running > 0 || Number.isFinite(this.queue.nextVisibleMs)) return soonestMs;
    return Math.max(soonestMs, await this.simulation.earliestHintMs(['delivery', 'backlog', 'outbox']));
  }

  #startVisible(): void {
    while (this.#running < maxAtOnce) {
      const job = this.queue.take();
      if (job === undefined) return;
      const batch = [job, ...this.#takeSimilar(job)];
      void this.#run(jobOf(batch), () => {
        for (const one of batch) this.queue.put(receivedAgain(one), visibilityMs);
      });
    }
  }

  /** The queue of new deliveries has batches of ten. Every other message is a batch of its own. */
  #takeSimilar({ delivery }: Job): Job[] {
    const similar: Job[] = [];
    while (delivery !== undefined && similar.length < 9) {
      const next = this.queue.take((job) => job.delivery !== undefined);
      if (next === undefined) break;
      similar.push(next);
    }
    return similar;
  }

  #startSweeps(): void {
    this.#lastSweptMs = this.simulation.nowMs;
    const { nowUnix } = this.simulation;
    const deliveries = async (work: Work): Promise<void> => {
      const deps = { ...work, nowUnix, hasTime: () => true, attempt: rethrowFailures };
      await sweepBacklogs(deps);
      await sweepDeliveries(deps);
    };
    const outbox = async ({ table, publish }: Work): Promise<void> => {
      const sweep = { table, nowUnix, attempt: rethrowFailures, settle: settleEvents };
      for await (const events of claimOverdue(sweep)) await Promise.all(events.map(publish));
    };
    for (const run of [deliveries, outbox]) void this.#run({ run, calls: 60 });
  }

  /** Runs one function with one job. If it crashes, half of the time its message is lost too. */
  async #run({ run, calls }: Job, redeliver = (): void => {}): Promise<void> {
    this.#running += 1;
    const willCrash = this.#random.chance(this.queue.faults.killed);
    const lastCall = willCrash ? this.#random.between(1, calls) : Number.POSITIVE_INFINITY;
    const crashPoint = new CrashPoint(lastCall, this.#random.chance(0.5) ? 'before' : 'after');
    const acknowledged: Sent[] = [];
    try {
      const table = willCrash ? this.#crashingTable(crashPoint) : this.#table;
      const isDone = await crashPoint.resultOf(run(this.#workOf(crashPoint, table, acknowledged)).then(() => true));
      if (isDone === true) return;
      this.kills += 1;
      if (this.#random.chance(0.5)) redeliver();
      await this.#noteUnrecorded(acknowledged);
    } catch (error) {
      this.errors.push(error);
    } finally {
      this.#running -= 1;
    }
  }

  async #noteUnrecorded(acknowledged: readonly Sent[]): Promise<void> {
    // Calls in progress at the time of the crash are still carried out.
    await this.#time.untilIdle();
    for (const sent of acknowledged) {
      const delivery = await readDelivery(this.#table, { orgId: this.simulation.orgId, ...sent });
      if (delivery?.status !== 'delivered') this.unrecorded.push(`${sent.endpointId} ${sent.eventId}`);
    }
  }

  #workOf(crashPoint: CrashPoint, table: Table, acknowledged: Sent[]): Work {
    const put = (job: Job, delaySeconds = 0) => crashPoint.call(async () => this.queue.put(job, delaySeconds * 1000));
    const delivery = (message: DeliveryMessage): Job => {
      const received = { message: parseDeliveryMessage(message), isRepeated: false };
      return { ...deliveryJob([received]), ...(message.type !== undefined && { delivery: received }) };
    };
    return {
      ...this.simulation.deps,
      table,
      random: () => this.#random.next(),
      sleep: (ms) => this.#time.sleep(ms),
      send: (post, clock, onSlow) => crashPoint.call(() => this.#send({ post, clock, onSlow }, acknowledged)),
      sendDeliveries: async (messages) => {
        for (const message of messages) await put(delivery(message));
      },
      sendRetries: async (messages) => {
        for (const { delaySeconds, ...message } of messages) await put(delivery(message), delaySeconds);
      },
      wakeBacklog: (ref, delaySeconds) => put({ run: (work) => drainBacklog(work, ref), calls: 300 }, delaySeconds),
      publish: (event) => crashPoint.call(async () => this.#publish(event)),
    };
  }

  /** Posts while the time stands still, then lets the time pass that the post would have taken. */
  async #send({ post, clock, onSlow }: SendCall, acknowledged: Sent[]) {
    const receiver = this.receivers.find(({ url }) => url === post.url);
    const makePost = receiver?.behaviour === 'hanging' ? this.#postWithShortTimeout : this.#post;
    const posted = await this.#time.freezeDuring(() => makePost(post, clock));
    const { reply } = posted;
    if (receiver !== undefined && reply.kind === 'answer' && reply.status === 200) {
      acknowledged.push({ endpointId: receiver.endpointId, eventId: post.headers['webhook-id'] ?? '' });
    }
    const durationMs = reply.kind === 'timeout' ? answerLimitMs : this.#random.between(5, 400);
    await this.#time.sleep(Math.min(durationMs, slowMs));
    if (durationMs > slowMs) {
      onSlow?.();
      await this.#time.sleep(durationMs - slowMs);
    }
    return { ...posted, durationMs };
  }

  #crashingTable(crashPoint: CrashPoint): Table {
    const table = this.#freezeTimeDuringCalls(crashingTable(this.simulation.table, crashPoint));
    this.#crashingDeps.push(table);
    return table;
  }

  /** Freezes the time during table calls. */
  #freezeTimeDuringCalls(table: Table): Table {
    table.client.middlewareStack.add((next) => (args) => this.#time.freezeDuring(() => next(args)), {
      step: 'initialize',
      priority: 'low',
    });
    return table;
  }
}

/** One function handles the deliveries of a batch in groups, concurrently. */
function deliveryJob(received: readonly ReceivedDelivery[]): Job {
  const run = async (work: Work): Promise<void> => {
    const groups = Map.groupBy(received, (one) => deliveryGroup(one, work.clock.nowMs()) ?? one);
    await Promise.all([...groups.values()].map((group) => deliverGroup(work, group)));
  };
  return { run, calls: 8 + 4 * received.length };
}

function jobOf(batch: readonly Job[]): Job {
  const [first, ...others] = batch;
  if (first === undefined) throw new Error('There is no job.');
  return others.length === 0 ? first : deliveryJob(batch.flatMap(({ delivery }) => delivery ?? []));
}

function receivedAgain(job: Job): Job {
  if (job.delivery === undefined) return job;
  const delivery = { ...job.delivery, isRepeated: true };
  return { ...deliveryJob([delivery]), delivery };
}
