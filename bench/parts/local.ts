import { slowness } from '../harness/bare-client.ts';
import { percentile, sendAtRate } from '../harness/load-generator.ts';
import { type LocalRun, startLocalRun } from '../harness/local-run.ts';
import { type MixedRequest, mixedTraffic } from '../harness/mixed-traffic.ts';
import { findSustainedRate } from '../harness/sustained-rate.ts';
import type { MeasurePart } from '../measure-part.ts';
import { atLeast, atMost, median } from '../report/figures.ts';

const warmUpRequests = 400;
const rounds = 3;
const roundRequests = 200;
/** All functions have an instance after this many mixed requests. */
const mixedWarmUp = { perSecond: 5, seconds: 60 };
const overloadSeconds = 10;
const recoverySeconds = 5;

/** What the local run adds to a request in CPU time, and how many requests of all kinds one machine sustains. */
export const measureLocal: MeasurePart = async ({ progress }) => {
  const run = await startLocalRun();
  try {
    progress('auditing the demo once');
    await run.audited();
    progress('one request at a time');
    const slower = [slowness()];
    const alone = await costOfOneRequest(run);
    const next = await mixedTraffic(run);
    progress('warming up with mixed requests');
    await sendAtRate(next, mixedWarmUp);
    const { sustained, steps } = await findSustainedRate(next, progress);
    slower.push(slowness());
    const mixed = await costOfMixed(run, next, sustained);
    progress('overload');
    const overload = await sendAtRate(next, { perSecond: Math.max(30, sustained * 3), seconds: overloadSeconds });
    const recovered = await sendAtRate(next, { perSecond: Math.max(1, sustained / 2), seconds: recoverySeconds });
    const factor = median(slower);
    return {
      notes: [
        `CPU time of the process of \`npm start\` with its threads; its main thread is local/ itself: server, proxy, event sources, logs. DynamoDB Local and the load generator run on the same machine and count only for the rate. Measured after a first audit, which reads the whole demo. ${rounds} rounds of ${roundRequests} GET /v1/organisation after ${warmUpRequests}; medians. Mixed: 21 operations, purchases and scans among them, with weights, from both demo organisations.`,
      ],
      tables: [
        {
          title: 'CPU time of a request on the local run, ms',
          columns: ['request', 'whole process', 'main thread', 'functions'],
          rows: [
            ['GET /v1/organisation', alone.process, alone.main, alone.process - alone.main],
            ['mixed', mixed.process, mixed.main, mixed.process - mixed.main],
          ],
        },
        {
          title: 'Mixed requests at a constant rate on the local run',
          columns: ['per second', 'answered', '429', 'failed', 'median ms', '95 % within ms'],
          rows: [
            ...steps.map((step) => [
              step.perSecond,
              step.answered,
              step.throttled,
              step.failed,
              percentile(step.durationsMs, 0.5),
              percentile(step.durationsMs, 0.95),
            ]),
          ],
        },
        {
          title: 'At the speed of the machine for which the targets were set',
          columns: ['what', 'value'],
          rows: [
            ['time of a start of the bare client over the one there', factor],
            ['main thread per GET, ms', alone.main / factor],
            ['sustained requests per second', sustained * factor],
          ],
        },
        {
          title: 'Beyond the sustained rate',
          columns: ['what', 'value'],
          rows: [
            ['sustained requests per second', sustained],
            ['overload: answered', overload.answered],
            ['overload: 429', overload.throttled],
            ['overload: failed', overload.failed],
            ['overload: median ms until a 429', percentile(overload.throttledMs, 0.5)],
            ['half the sustained rate, straight after it: 429 and failed', recovered.throttled + recovered.failed],
          ],
        },
      ],
      targets: [
        atMost({
          name: 'local: CPU time of the main thread per GET, ms at the reference speed',
          value: alone.main / factor,
          limit: 4.5,
          why: whyCpu,
        }),
        atLeast({
          name: 'local: sustained mixed requests per second at the reference speed',
          value: sustained * factor,
          limit: 40,
          why: whyRate,
        }),
        atMost({ name: 'local: requests that fail under overload', value: overload.failed, limit: 0, why: whyRate }),
      ],
    };
  } finally {
    await run.stop();
  }
};

interface Cost {
  readonly process: number;
  readonly main: number;
}

async function costBetween(run: LocalRun, work: () => Promise<number>): Promise<Cost> {
  const before = await run.usage();
  const requests = await work();
  const after = await run.usage();
  const perRequest = (microseconds: number): number => microseconds / 1000 / requests;
  return {
    process: perRequest(after.cpu - before.cpu),
    main: perRequest(after.mainThreadCpu - before.mainThreadCpu),
  };
}

async function costOfOneRequest(run: LocalRun): Promise<Cost> {
  let turn = 0;
  const one = async (): Promise<void> => {
    turn += 1;
    const key = run.keys[turn % run.keys.length]?.key;
    await (await fetch(`${run.url}/v1/organisation`, { headers: { Authorization: `Bearer ${key}` } })).text();
  };
  const many = async (requests: number): Promise<number> => {
    for (let count = 0; count < requests; count += 1) await one();
    return requests;
  };
  await many(warmUpRequests);
  const costs: Cost[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push(await costBetween(run, () => many(roundRequests)));
  return { process: median(costs.map((cost) => cost.process)), main: median(costs.map((cost) => cost.main)) };
}

function costOfMixed(run: LocalRun, next: () => MixedRequest, sustained: number): Promise<Cost> {
  return costBetween(run, async () => {
    const { sent } = await sendAtRate(next, { perSecond: Math.max(1, sustained / 2), seconds: overloadSeconds });
    return sent;
  });
}

const whyCpu = 'Other work on the machine evicts its caches: measure on a quiet machine.';
const whyRate =
  'The rate depends on the machine and on what else runs on it: two quiet cores are needed. Each request also costs CPU time of DynamoDB Local and of the load generator.';
