import { readDelivery } from '../../shared/data/webhooks/deliveries.ts';
import type { DeliveryRef } from '../../shared/data/webhooks/delivery-row.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { startNeighbours } from '../harness/aws-stubs.ts';
import { type Stand, startStand } from '../harness/bench-table.ts';
import { type Recorded, Recorder } from '../harness/call-recorder.ts';
import { DeliveryStand } from '../harness/delivery-harness.ts';
import { startReceiverProcess } from '../harness/receiver-process.ts';
import { barePost, body, perCpuSecond, signedPost } from '../harness/webhook-posts.ts';
import type { MeasurePart } from '../parts.ts';
import { atLeast, type FigureTable } from '../report/figures.ts';
import { measureLatency } from './webhook-latency.ts';
import { measureOutage } from './webhook-outage.ts';

/** Short and many: what else the machine does then meets all three alike. */
const rounds = 40;
/** So many before them, until the engine has made its best of the code. */
const warmUps = 4;
const endpoints = 8;
const perRound = { posts: 800, deliveries: 32 };

export const measureWebhooks: MeasurePart = async ({ progress }) => {
  const neighbours = await startNeighbours();
  const stand = await startStand();
  try {
    progress('from commit to arrival, then beside an endpoint that hangs');
    const latency = await measureLatency(stand);
    progress('an outage, in simulated time');
    const outage = await measureOutage(stand.open());
    return findingsOf(await measureRates(stand, progress), [latency.table, outage]);
  } finally {
    await stand.stop();
    neighbours.stop();
  }
};

type Rates = Readonly<Record<'bare' | 'signed' | 'whole', number>>;

interface Measured {
  readonly rates: Rates;
  /** Over the bare loop. */
  readonly ratios: Rates;
  readonly counted: Recorded;
}

async function measureRates(stand: Stand, progress: (text: string) => void): Promise<Measured> {
  const receiver = await startReceiverProcess();
  try {
    const table = stand.open();
    const delivery = new DeliveryStand(table);
    // On a client of its own: what it takes to write calls down must not be in the CPU that is measured.
    const recorder = new Recorder(stand.open(), table);
    const watched = new DeliveryStand(recorder.table);
    const targets = await Promise.all(
      // Their own pace must not be what is measured.
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
    const counted = await recorder.during(() => deliver(watched.deps, { ...asRef(ref), forced: false }));
    const { status } = (await readDelivery(table, asRef(ref))) ?? {};
    if (status !== 'delivered') throw new Error(`The delivery was not made: ${status}.`);
    // Of all rounds together: the same number in each, so the seconds that one took are added up.
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
      `Deliveries per CPU-second: ${rounds} rounds of ${perRound.posts} POSTs and ${perRound.deliveries} whole deliveries of ${Buffer.byteLength(body)} bytes to ${endpoints} endpoints of one receiver in another process, one at a time for each endpoint, in turns, after ${warmUps} to warm up; the CPU of all rounds together. CPU of the sending process only. The bare loop uses the same HTTP client of Node.`,
      'From commit to arrival: one event each 200 ms, ten deliveries at once as in a stage beside production; the stream, the bus and the two queues hand on at once here, so what they take on AWS comes on top of it.',
      'The outage passes in simulated time, with the real delivery code on a real table.',
    ],
    tables: [
      {
        title: 'Deliveries per CPU-second',
        columns: ['what', 'per CPU-second', 'over the bare loop'],
        rows: [
          ['a bare keep-alive POST loop', rates.bare, ratios.bare],
          ['opening the secret, signing, guarding, posting, judging', rates.signed, ratios.signed],
          ['the whole delivery, with its calls of the table', rates.whole, ratios.whole],
        ],
      },
      {
        title: 'One delivery on the straight way',
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
        why: 'Beside the POST it opens the secret, signs, judges the address, sets timers and keeps the beginning of the answer.',
      }),
      atLeast({
        name: 'webhooks: whole deliveries, with the table, over the bare POST loop',
        value: ratios.whole,
        limit: 0.4,
        why: `That nothing is lost and nothing sent twice costs ${counted.calls} calls of the table for each delivery (what is known of it in one, a turn, a claim, the outcome, the end of the turn), and each takes the SDK the CPU of ${postsForCall.toFixed(0)} bare POSTs. The limit allows 2.5 POSTs for everything, and sending alone takes ${(1 / ratios.signed).toFixed(1)}: what is left is less than one, and a call of the table is a POST itself, whatever client makes it. Needed: many deliveries claimed and settled in one call, which would let a slow endpoint hold the others (ADR 0027).`,
      }),
    ],
  };
}
