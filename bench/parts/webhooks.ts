import { readDelivery } from '../../shared/data/webhooks/deliveries.ts';
import type { EndpointRecord } from '../../shared/data/webhooks/endpoint-row.ts';
import { type EventReference, pendingHint } from '../../shared/outbox/outbox.ts';
import { settleEvents } from '../../shared/webhooks/settle-events.ts';
import { startAwsStubs } from '../harness/aws-stubs.ts';
import { type BenchTable, startBenchTable } from '../harness/bench-table.ts';
import { CallRecorder, type RecordedCalls } from '../harness/call-recorder.ts';
import { DeliveryHarness, orgId } from '../harness/delivery-harness.ts';
import { startReceiverProcess } from '../harness/receiver-process.ts';
import { barePost, body, perCpuSecond, signedPost } from '../harness/webhook-posts.ts';
import type { MeasurePart } from '../measure-part.ts';
import { atLeast, atMost } from '../report/figures.ts';

/** Many short rounds: other work on the machine then affects all measurements equally. */
const rounds = 40;
/** Rounds before the measured ones, until V8 has optimised the code. */
const warmUps = 4;
const endpoints = 8;
/** How many deliveries to one endpoint are due at once. */
const due = 5;
const perRound = { posts: 400, deliveries: 40 };
/** How many events the sweeper checks together, for the share of one of them. */
const checked = 25;

export const measureWebhooks: MeasurePart = async ({ progress }) => {
  const awsStubs = await startAwsStubs();
  const benchTable = await startBenchTable();
  try {
    return findingsOf(await measureRates(benchTable, progress));
  } finally {
    await benchTable.stop();
    awsStubs.stop();
  }
};

const loops = ['bare', 'signed', 'single', 'batches'] as const;
type Rates = Readonly<Record<(typeof loops)[number], number>>;
type Counted = Readonly<Record<'single' | 'batch' | 'check', RecordedCalls>>;

interface Measured {
  readonly rates: Rates;
  readonly counted: Counted;
}

/** An endpoint, which is the only one of its organisation. */
interface Target {
  readonly orgId: string;
  readonly endpoint: EndpointRecord;
}

async function measureRates(benchTable: BenchTable, progress: (text: string) => void): Promise<Measured> {
  const receiver = await startReceiverProcess();
  try {
    const table = benchTable.open();
    const delivery = new DeliveryHarness(table);
    const givenTarget = async (ofOrgId: string): Promise<Target> => ({
      orgId: ofOrgId,
      // A high rate, so the endpoints' rate limits do not slow the measurement down.
      endpoint: await delivery.givenEndpoint(receiver.url, 100_000, ofOrgId),
    });
    const targets = await Promise.all(Array.from({ length: endpoints }, (_, index) => givenTarget(`org_${index}`)));
    const signing = await givenTarget(orgId);
    const [bare, signed] = [barePost(receiver.url), signedPost(delivery.deps, [signing.endpoint])];
    const found: Record<keyof Rates, number[]> = { bare: [], signed: [], single: [], batches: [] };
    const each = perRound.deliveries / endpoints;
    for (let round = 1 - warmUps; round <= rounds; round += 1) {
      if (round % 10 === 0) progress(`deliveries, round ${round} of ${rounds}`);
      const given = () => Promise.all(targets.map((target) => delivery.givenEvents(target.orgId, each)));
      const [single, batches] = [await given(), await given()];
      const eventAt = (events: readonly (readonly EventReference[])[], index: number): EventReference =>
        present(events[index % endpoints]?.[Math.floor(index / endpoints)]);
      const one: Rates = {
        bare: await perCpuSecond(perRound.posts, endpoints, bare),
        signed: await perCpuSecond(perRound.posts, endpoints, signed),
        single: await perCpuSecond(perRound.deliveries, endpoints, (index) => {
          const event = eventAt(single, index);
          return delivery.fanOutAndDeliver(event.orgId, [event]);
        }),
        batches:
          due *
          (await perCpuSecond(perRound.deliveries / due, endpoints, (index) => {
            const events = present(batches[index % endpoints]);
            return delivery.fanOutAndDeliver(present(events[0]).orgId, events);
          })),
      };
      if (round < 1) continue;
      for (const name of loops) found[name].push(one[name]);
    }
    const counted = await countCalls(benchTable, present(targets[0]));
    // Every round has the same number of runs, so the mean rate is that of the summed seconds.
    const rateOf = (name: keyof Rates): number =>
      found[name].length / found[name].reduce((seconds, rate) => seconds + 1 / rate, 0);
    const rates = Object.fromEntries(loops.map((name) => [name, rateOf(name)])) as Rates;
    return { rates, counted };
  } finally {
    receiver.stop();
  }
}

/** Counts on a separate client, because the recorder's CPU time must not be measured. */
async function countCalls(benchTable: BenchTable, { orgId: ofOrgId, endpoint }: Target): Promise<Counted> {
  const table = benchTable.open();
  const recorder = new CallRecorder(benchTable.open(), table);
  const recorded = new DeliveryHarness(recorder.table);
  const events = (count: number) => new DeliveryHarness(table).givenEvents(ofOrgId, count);
  const [single, batch] = [await events(1), await events(due)];
  const counted = {
    single: await recorder.record(() => recorded.fanOutAndDeliver(ofOrgId, single)),
    batch: await recorder.record(() => recorded.fanOutAndDeliver(ofOrgId, batch)),
  };
  for (const { eventId } of [...single, ...batch]) {
    const { status } = (await readDelivery(table, { orgId: ofOrgId, endpointId: endpoint.endpointId, eventId })) ?? {};
    if (status !== 'delivered') throw new Error(`The delivery was not made: ${status}.`);
  }
  return { ...counted, check: await countCheck(recorder, { orgId: ofOrgId, events: await events(checked), recorded }) };
}

/** What it costs the sweeper to check events that were delivered, and to remove their hints. */
async function countCheck(
  recorder: CallRecorder,
  { orgId: ofOrgId, events, recorded }: { orgId: string; events: readonly EventReference[]; recorded: DeliveryHarness },
): Promise<RecordedCalls> {
  for (const event of events) await recorded.fanOutAndDeliver(ofOrgId, [event]);
  const pending = events.map((event) => {
    const hint = { ...pendingHint(ofOrgId, event.eventId), item: {} };
    return { ...event, hint, sweeps: 0 };
  });
  return recorder.record(async () => {
    const left = await settleEvents(recorder.table, ofOrgId, pending);
    if (left.length > 0) throw new Error(`${left.length} events were not settled.`);
  });
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('A value of the measurement is missing.');
  return value;
}

function findingsOf({ rates, counted }: Measured) {
  const { single, batch, check } = counted;
  const share = (recorded: RecordedCalls, count: number) => [
    recorded.calls / count,
    recorded.depth,
    recorded.readUnits / count,
    recorded.writeUnits / count,
  ];
  return {
    notes: [
      `Deliveries per CPU-second: ${rounds} rounds of ${perRound.posts} POSTs and ${perRound.deliveries} deliveries of ${Buffer.byteLength(body)} bytes to ${endpoints} endpoints of one receiver in another process, one at a time for each endpoint, alternating, after ${warmUps} warm-up rounds; all rounds together. Only the CPU of the sending process counts. The bare loop uses Node's HTTP client too. Every delivery has an event of its own, whose fan-out is included; the messages between the two functions are not.`,
      `Nothing that records each outcome in a table comes near a bare POST. A single delivery takes ${single.calls} table calls: the endpoints of the organisation, send slots, claims, bodies, outcomes. Deliveries that are due together share them. Write units: a claim (2 in a transaction, 1 for a single delivery), the outcome (1), their share of the send slots; the sweeper deletes the hint of the event (1).`,
    ],
    tables: [
      {
        title: 'Deliveries per CPU-second',
        columns: ['what', 'per CPU-second', 'over the bare loop'],
        rows: [
          ['a bare keep-alive POST loop', rates.bare, 1],
          [
            'opening the secret, signing, checking the address, posting, reading the result',
            rates.signed,
            rates.signed / rates.bare,
          ],
          ['fan-out and delivery, single', rates.single, rates.single / rates.bare],
          [`fan-out and delivery, ${due} due for an endpoint`, rates.batches, rates.batches / rates.bare],
        ],
      },
      {
        title: 'One delivery, with its fan-out',
        columns: ['what', 'calls', 'depth', 'read u', 'write u'],
        rows: [
          ['a single delivery', ...share(single, 1)],
          [`${due} due for an endpoint, each`, ...share(batch, due)],
          [`the sweeper's check of ${checked} events, each`, ...share(check, checked)],
        ],
      },
    ],
    targets: [
      atLeast({
        name: 'webhooks: sending a delivery over the bare POST loop',
        value: rates.signed / rates.bare,
        limit: 0.3,
        why: 'Besides the POST it opens the secret, signs, checks the address, sets timers and keeps the start of the response.',
      }),
      atMost({ name: 'webhooks: table calls of a single delivery', value: single.calls, limit: 5 }),
      atMost({
        name: 'webhooks: write units of a single delivery',
        value: single.writeUnits + check.writeUnits / checked,
        limit: 6,
      }),
      atMost({ name: `webhooks: table calls of a delivery, ${due} due`, value: batch.calls / due, limit: 1.5 }),
      atMost({
        name: `webhooks: write units of a delivery, ${due} due`,
        value: batch.writeUnits / due + check.writeUnits / checked,
        limit: 5,
      }),
    ],
  };
}
