import { readDelivery } from '../../shared/data/webhooks/deliveries.ts';
import type { DeliveryRef } from '../../shared/data/webhooks/delivery-row.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { startAwsStubs } from '../harness/aws-stubs.ts';
import { type BenchTable, startBenchTable } from '../harness/bench-table.ts';
import { CallRecorder, type RecordedCalls } from '../harness/call-recorder.ts';
import { DeliveryHarness } from '../harness/delivery-harness.ts';
import { startReceiverProcess } from '../harness/receiver-process.ts';
import { barePost, body, perCpuSecond, signedPost } from '../harness/webhook-posts.ts';
import type { MeasurePart } from '../measure-part.ts';
import { atLeast, atMost, type FigureTable } from '../report/figures.ts';
import { measureLatency } from './webhook-latency.ts';
import { measureOutage } from './webhook-outage.ts';

/** Many short rounds: other work on the machine then affects all three measurements equally. */
const rounds = 40;
/** Rounds before the measured ones, until V8 has optimised the code. */
const warmUps = 4;
const endpoints = 8;
const perRound = { posts: 800, deliveries: 32 };

export const measureWebhooks: MeasurePart = async ({ progress }) => {
  const awsStubs = await startAwsStubs();
  const benchTable = await startBenchTable();
  try {
    progress('latency, alone and while another endpoint hangs');
    const latency = await measureLatency(benchTable);
    progress('an outage, in simulated time');
    const outage = await measureOutage(benchTable.open());
    return findingsOf(await measureRates(benchTable, progress), [latency.table, outage]);
  } finally {
    await benchTable.stop();
    awsStubs.stop();
  }
};

type Rates = Readonly<Record<'bare' | 'signed' | 'whole', number>>;

interface Measured {
  readonly rates: Rates;
  /** Relative to the bare loop. */
  readonly ratios: Rates;
  readonly counted: RecordedCalls;
}

async function measureRates(benchTable: BenchTable, progress: (text: string) => void): Promise<Measured> {
  const receiver = await startReceiverProcess();
  try {
    const table = benchTable.open();
    const delivery = new DeliveryHarness(table);
    // On a separate client, because the recorder's CPU time must not be measured.
    const recorder = new CallRecorder(benchTable.open(), table);
    const recorded = new DeliveryHarness(recorder.table);
    const targets = await Promise.all(
      // A high rate, so that the endpoints' rate limits do not slow the measurement down.
      Array.from({ length: endpoints }, () => delivery.givenEndpoint(receiver.url, 100_000)),
    );
    const whole = (ref: DeliveryRef | undefined) => deliver(delivery.deps, { ...asRef(ref), forced: false });
    const [bare, signed] = [barePost(receiver.url), signedPost(delivery.deps, targets)];
    const found: Record<keyof Rates, number[]> = { bare: [], signed: [], whole: [] };
    for (let round = 1 - warmUps; round <= rounds; round += 1) {
      if (round % 10 === 0) progress(`deliveries, round ${round} of ${rounds}`);
      const refs = await delivery.givenDeliveries(targets, perRound.deliveries);
      const one = {
        bare: await perCpuSecond(perRound.posts, endpoints, bare),
        signed: await perCpuSecond(perRound.posts, endpoints, signed),
        whole: await perCpuSecond(perRound.deliveries, endpoints, (index) => whole(refs[index])),
      };
      if (round < 1) continue;
      for (const name of ['bare', 'signed', 'whole'] as const) found[name].push(one[name]);
    }
    const [ref] = await delivery.givenDeliveries(targets, 1);
    const counted = await recorder.record(() => deliver(recorded.deps, { ...asRef(ref), forced: false }));
    const { status } = (await readDelivery(table, asRef(ref))) ?? {};
    if (status !== 'delivered') throw new Error(`The delivery was not made: ${status}.`);
    // Every round has the same number of runs, so the mean rate is that of the summed seconds.
    const rateOf = (name: keyof Rates): number =>
      found[name].length / found[name].reduce((seconds, rate) => seconds + 1 / rate, 0);
    const rates = { bare: rateOf('bare'), signed: rateOf('signed'), whole: rateOf('whole') };
    const overBare = (name: keyof Rates): number => rates[name] / rates.bare;
    return { rates, ratios: { bare: 1, signed: overBare('signed'), whole: overBare('whole') }, counted };
  } finally {
    receiver.stop();
  }
}

function asRef(ref: DeliveryRef | undefined): DeliveryRef {
  if (ref === undefined) throw new Error('There is no delivery.');
  return ref;
}

function findingsOf({ rates, ratios, counted }: Measured, further: readonly FigureTable[]) {
  const postsForCall = (1 / ratios.whole - 1 / ratios.signed) / counted.calls;
  return {
    notes: [
      `Deliveries per CPU-second: ${rounds} rounds of ${perRound.posts} POSTs and ${perRound.deliveries} whole deliveries of ${Buffer.byteLength(body)} bytes to ${endpoints} endpoints of one receiver in another process, one at a time for each endpoint, alternating, after ${warmUps} warm-up rounds; all rounds together. Only the CPU of the sending process counts. The bare loop uses Node's HTTP client too.`,
      'From commit to arrival: one event each 200 ms, ten concurrent deliveries as in a stage other than production. The stream, the bus and the two queues add no time here; their latency on AWS comes on top.',
      `A whole delivery has no target relative to a bare POST, because it takes ${counted.calls} table calls (load it, take a send slot, claim it, record the outcome, release the slot), and each is an HTTP POST that the SDK signs: ${postsForCall.toFixed(0)} bare POSTs of CPU. Nothing that records each outcome in a table comes near a bare POST. Calls and write units for each delivery are what its cost depends on.`,
      'The outage runs in simulated time, with the real delivery code on a real table.',
    ],
    tables: [
      {
        title: 'Deliveries per CPU-second',
        columns: ['what', 'per CPU-second', 'over the bare loop'],
        rows: [
          ['a bare keep-alive POST loop', rates.bare, ratios.bare],
          [
            'opening the secret, signing, checking the address, posting, reading the result',
            rates.signed,
            ratios.signed,
          ],
          ['the whole delivery, including its table calls', rates.whole, ratios.whole],
        ],
      },
      {
        title: 'One delivery that is sent directly',
        columns: ['calls', 'depth', 'read u', 'write u'],
        rows: [[counted.calls, counted.depth, counted.readUnits, counted.writeUnits]],
      },
      ...further,
    ],
    curves: [],
    targets: [
      atLeast({
        name: 'webhooks: sending a delivery over the bare POST loop',
        value: ratios.signed,
        limit: 0.4,
        why: 'Besides the POST it opens the secret, signs, checks the address, sets timers and keeps the start of the response.',
      }),
      atMost({ name: 'webhooks: table calls of one delivery', value: counted.calls, limit: 5 }),
      atMost({ name: 'webhooks: write units of one delivery', value: counted.writeUnits, limit: 7 }),
    ],
  };
}
