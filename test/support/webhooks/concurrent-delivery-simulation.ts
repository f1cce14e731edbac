import { DemoRandom } from '../../../local/demo/random.ts';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { readDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import type { EndpointRecord } from '../../../shared/data/webhooks/endpoint-row.ts';
import type { WebhookEventType } from '../../../shared/domain/webhooks/event-types.ts';
import { type EventReference, outboxItems } from '../../../shared/outbox/outbox.ts';
import { claimOverdue } from '../../../shared/outbox/sweep.ts';
import { deliver } from '../../../shared/webhooks/deliver.ts';
import type { DeliveryDeps } from '../../../shared/webhooks/delivery-deps.ts';
import type { DeliveryMessage } from '../../../shared/webhooks/delivery-messages.ts';
import { drainBacklog } from '../../../shared/webhooks/drain-backlog.ts';
import { fanOut } from '../../../shared/webhooks/fan-out.ts';
import { createSend } from '../../../shared/webhooks/send.ts';
import { sweepBacklogs, sweepDeliveries } from '../../../shared/webhooks/sweep.ts';
import { crashingTable, Life } from '../faults/crashing-deps.ts';
import { testClientConfig } from '../table.ts';
import { DeliverySimulation } from './delivery-simulation.ts';
import { FaultyQueue } from './faulty-queue.ts';
import { unspared } from './rethrow-failures.ts';
import { ScriptedReceiver } from './scripted-receiver.ts';
import { VirtualTime } from './virtual-time.ts';

/** What one function works with. */
interface Work extends DeliveryDeps {
  readonly sendDeliveries: (messages: readonly DeliveryMessage[]) => Promise<void>;
  readonly publish: (event: EventReference) => Promise<void>;
}

interface Job {
  readonly run: (work: Work) => Promise<void>;
  /** About how many calls to the outside a function makes over it, any of which may be its last. */
  readonly calls: number;
}

interface Sent {
  readonly endpointId: string;
  readonly eventId: string;
}

const minuteMs = 60_000;
const maxAtOnce = 30;
const answerLimitMs = 15_000;
/** The message of a function that died comes again after this time. */
const visibilityMs = 360_000;

/**
 * Events, queues and many functions at once, delivering over real HTTP to real receivers in virtual time: the table and the
 * clock of the simulation, with a crowd instead of one worker at a time, and with mischief.
 */
export class ConcurrentDeliverySimulation {
  readonly simulation: DeliverySimulation;
  readonly queue: FaultyQueue<Job>;
  readonly receivers: ScriptedReceiver[] = [];
  kills = 0;
  /** Endpoint and event of what was acknowledged to a function that died before it could write that down. */
  readonly unrecorded: string[] = [];
  readonly errors: unknown[] = [];
  private readonly random: DemoRandom;
  private readonly time: VirtualTime;
  private readonly table: Table;
  private readonly crashingDeps: Table[] = [];
  private readonly post = createSend({ allowLoopback: true });
  private readonly postInHaste = createSend({ allowLoopback: true }, { limits: { totalMs: 60 } });
  private running = 0;
  private lastSweptMs: number;

  private constructor(simulation: DeliverySimulation, seed: number) {
    this.simulation = simulation;
    this.random = new DemoRandom(seed);
    this.queue = new FaultyQueue(simulation, this.random);
    this.time = new VirtualTime(simulation);
    this.table = this.watched(openTable(simulation.table.name, testClientConfig()));
    this.lastSweptMs = simulation.nowMs;
  }

  static async create(seed: number): Promise<ConcurrentDeliverySimulation> {
    return new ConcurrentDeliverySimulation(await DeliverySimulation.create(), seed);
  }

  async stop(): Promise<void> {
    for (const { client } of [this.table, ...this.crashingDeps]) client.destroy();
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
  }

  async givenReceiver(settings: Partial<EndpointRecord> = {}): Promise<ScriptedReceiver> {
    const receiver = await ScriptedReceiver.start(this.simulation, () => this.random.next(), settings);
    this.receivers.push(receiver);
    return receiver;
  }

  /** Events announceEvents now, and the stream publishes them. */
  publishEvents(types: readonly WebhookEventType[]): Promise<string[]> {
    const { orgId, nowMs } = this.simulation;
    return Promise.all(
      types.map(async (type) => {
        const items = outboxItems(this.table, orgId, { type, data: {} }, nowMs);
        await transact(this.table, items);
        const eventId = String(items[0]?.Put?.Item?.sk);
        this.publish({ orgId, eventId, type });
        return eventId;
      }),
    );
  }

  private publish(event: EventReference): void {
    this.queue.put({ run: (work) => fanOut({ ...work, nowMs: work.clock.nowMs() }, event), calls: 6 });
  }

  /** Lets time pass. The sweepers run every minute; or, if nobody has anything to do before, when something is due. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.simulation.nowMs + ms;
    while (this.simulation.nowMs < untilMs) {
      this.startVisible();
      await this.time.quiet();
      if (this.nextVisibleMs() <= this.simulation.nowMs) continue;
      const sweepMs = await this.nextSweepMs();
      this.time.moveTo(Math.min(this.nextVisibleMs(), this.time.nextWakeMs, sweepMs, untilMs));
      if (this.simulation.nowMs >= sweepMs) this.startSweeps();
    }
    await this.time.quiet();
  }

  private nextVisibleMs(): number {
    return this.running < maxAtOnce ? this.queue.nextVisibleMs : Number.POSITIVE_INFINITY;
  }

  private async nextSweepMs(): Promise<number> {
    const soonestMs = this.lastSweptMs + minuteMs;
    if (this.running > 0 || Number.isFinite(this.queue.nextVisibleMs)) return soonestMs;
    return Math.max(soonestMs, await this.simulation.earliestHintMs(['delivery', 'backlog', 'outbox']));
  }

  private startVisible(): void {
    while (this.running < maxAtOnce) {
      const job = this.queue.take();
      if (job === undefined) return;
      void this.run(job, () => this.queue.put(job, visibilityMs));
    }
  }

  private startSweeps(): void {
    this.lastSweptMs = this.simulation.nowMs;
    const { nowUnix } = this.simulation;
    const deliveries = async (work: Work): Promise<void> => {
      const deps = { ...work, nowUnix, hasTime: () => true, attempt: unspared };
      await sweepBacklogs(deps);
      await sweepDeliveries(deps);
    };
    const outbox = async ({ table, publish }: Work): Promise<void> => {
      for await (const events of claimOverdue(table, nowUnix, unspared)) await Promise.all(events.map(publish));
    };
    for (const run of [deliveries, outbox]) void this.run({ run, calls: 60 });
  }

  /** One function over one job. If it dies, half of the time even its message is gone. */
  private async run({ run, calls }: Job, comeAgain = (): void => {}): Promise<void> {
    this.running += 1;
    const isDoomed = this.random.chance(this.queue.faults.killed);
    const lastCall = isDoomed ? this.random.between(1, calls) : Number.POSITIVE_INFINITY;
    const life = new Life(lastCall, this.random.chance(0.5) ? 'before' : 'after');
    const acknowledged: Sent[] = [];
    try {
      const table = isDoomed ? this.crashingTable(life) : this.table;
      const isDone = await life.survive(run(this.workOf(life, table, acknowledged)).then(() => true));
      if (isDone === true) return;
      this.kills += 1;
      if (this.random.chance(0.5)) comeAgain();
      await this.noteUnrecorded(acknowledged);
    } catch (error) {
      this.errors.push(error);
    } finally {
      this.running -= 1;
    }
  }

  private async noteUnrecorded(acknowledged: readonly Sent[]): Promise<void> {
    // Calls that were under way when it died are still carried out.
    await this.time.quiet();
    for (const sent of acknowledged) {
      const delivery = await readDelivery(this.table, { orgId: this.simulation.orgId, ...sent });
      if (delivery?.status !== 'delivered') this.unrecorded.push(`${sent.endpointId} ${sent.eventId}`);
    }
  }

  private workOf(life: Life, table: Table, acknowledged: Sent[]): Work {
    const put = (job: Job, delaySeconds = 0) => life.call(async () => this.queue.put(job, delaySeconds * 1000));
    const delivery = ({ forced = false, ...message }: DeliveryMessage): Job => ({
      run: (work) => deliver(work, { ...message, forced }),
      calls: 12,
    });
    return {
      ...this.simulation.deps,
      table,
      random: () => this.random.next(),
      sleep: (ms) => this.time.sleep(ms),
      send: (post, clock) => life.call(() => this.send(post, clock, acknowledged)),
      sendDeliveries: async (messages) => {
        for (const message of messages) await put(delivery(message));
      },
      sendRetries: async (messages) => {
        for (const { delaySeconds, ...message } of messages) await put(delivery(message), delaySeconds);
      },
      wakeBacklog: (ref, delaySeconds) => put({ run: (work) => drainBacklog(work, ref), calls: 300 }, delaySeconds),
      publish: (event) => life.call(async () => this.publish(event)),
    };
  }

  /** A real post at a standstill of time; then the time passes that it would have taken. */
  private async send(...[post, clock, acknowledged]: [...Parameters<DeliveryDeps['send']>, Sent[]]) {
    const receiver = this.receivers.find(({ url }) => url === post.url);
    const makePost = receiver?.behaviour === 'hanging' ? this.postInHaste : this.post;
    const posted = await this.time.work(() => makePost(post, clock));
    const { reply } = posted;
    if (receiver !== undefined && reply.kind === 'answer' && reply.status === 200) {
      acknowledged.push({ endpointId: receiver.endpointId, eventId: post.headers['webhook-id'] ?? '' });
    }
    const durationMs = reply.kind === 'timeout' ? answerLimitMs : this.random.between(5, 400);
    await this.time.sleep(durationMs);
    return { ...posted, durationMs };
  }

  private crashingTable(life: Life): Table {
    const table = this.watched(crashingTable(this.simulation.table, life));
    this.crashingDeps.push(table);
    return table;
  }

  /** No time passes over calls to the table. */
  private watched(table: Table): Table {
    table.client.middlewareStack.add((next) => (args) => this.time.work(() => next(args)), {
      step: 'initialize',
      priority: 'low',
    });
    return table;
  }
}
