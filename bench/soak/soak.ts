import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, sendAtRate } from '../harness/load-generator.ts';
import { type LocalRun, startLocalRun } from '../harness/local-run.ts';
import { mixedTraffic } from '../harness/mixed-traffic.ts';
import { findSustainedRate } from '../harness/sustained-rate.ts';
import { type Answers, exceedLimit, sendHostile, wrongAnswers } from './hostile-requests.ts';
import { memoryGrowth } from './memory-growth.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** Mixed requests a second; undefined to find out what the machine sustains, and send half of it. */
  readonly perSecond: number | undefined;
  print(line: string): void;
}

/** The resident memory of each process, and the heap of the main thread. */
type Memory = Readonly<Record<'npm start' | 'heap of its main thread' | 'DynamoDB Local', number>>;

const warmUp = { perSecond: 5, seconds: 60 };
const periodSeconds = 10;
/** Far enough below the limit that other work on the machine does not turn the soak into an overload. */
const shareOfSustained = 0.5;
const restSeconds = 30;
/** Requests that may fail or be throttled because the machine was busy with something else. */
const toleratedShare = 0.01;

/** What the main process may need at any time of the run, hostile requests included. */
const largestBytes = 1024 ** 3;
const exceedEveryPeriods = 6;

/**
 * Sends mixed requests for a long time, at a rate that the machine sustains, and hostile ones beside them. Returns the problems
 * it found.
 */
export async function soak({ minutes, perSecond: given, print }: SoakOptions): Promise<string[]> {
  const run = await startLocalRun();
  try {
    const before = await memoryOf(run);
    print(`before: ${text(before)}`);
    const next = await mixedTraffic(run);
    await sendAtRate(next, warmUp);
    const perSecond = given ?? Math.max(1, (await findSustainedRate(next, print)).sustained * shareOfSustained);
    print(`${minutes} minutes at ${perSecond} mixed requests a second`);
    const samples: Memory[] = [];
    const answers: Answers = new Map();
    let [sent, refused] = [0, 0];
    const startedMs = performance.now();
    const seconds = () => Math.round((performance.now() - startedMs) / 1000);
    // A period takes longer on a machine that is busy, because it waits for all responses.
    for (let period = 0; seconds() < minutes * 60; period += 1) {
      const [result] = await Promise.all([
        sendAtRate(next, { perSecond, seconds: periodSeconds }),
        sendHostile(run, answers, { turn: 2 * period, seconds: periodSeconds }),
        sendHostile(run, answers, { turn: 2 * period + 1, seconds: periodSeconds }),
        period % exceedEveryPeriods === 0 && exceedLimit(run, answers),
      ]);
      sent += result.sent;
      refused += result.throttled + result.failed;
      const memory = await memoryOf(run);
      samples.push(memory);
      const p95 = percentile(result.durationsMs, 0.95).toFixed(0);
      print(`${seconds().toString().padStart(4)} s: ${text(memory)}; 95 % within ${p95} ms`);
    }
    await sleep(restSeconds * 1000);
    print(`after ${restSeconds} s without requests: ${text(await memoryOf(run))}`);
    print(`${sent} requests, ${refused} throttled or failed`);
    for (const [name, counts] of answers) print(`requests ${name}: ${JSON.stringify(Object.fromEntries(counts))}`);
    return [
      ...wrongAnswers(run, answers),
      ...(refused > sent * toleratedShare ? [`${refused} of ${sent} requests were throttled or failed.`] : []),
      ...sizeProblems(samples),
      ...growthProblems(samples, print),
    ];
  } finally {
    await run.stop();
  }
}

function sizeProblems(samples: readonly Memory[]): string[] {
  const largest = Math.max(...samples.map((memory) => memory['npm start']));
  return largest <= largestBytes ? [] : [`npm start: ${megabytes(largest)}, more than ${megabytes(largestBytes)}.`];
}

function growthProblems(samples: readonly Memory[], print: (line: string) => void): string[] {
  const names = ['npm start', 'heap of its main thread', 'DynamoDB Local'] as const;
  return names.flatMap((name) => {
    const { boundBytes, lastBytes, isBounded } = memoryGrowth(samples.map((memory) => memory[name]));
    const finding = `${name}: the last third grew by ${megabytes(lastBytes)}, the bound is ${megabytes(boundBytes)}`;
    print(finding);
    return isBounded ? [] : [`${finding}.`];
  });
}

async function memoryOf(run: LocalRun): Promise<Memory> {
  const { residentBytes, heapBytes } = await run.usage();
  return {
    'npm start': residentBytes,
    'heap of its main thread': heapBytes,
    'DynamoDB Local': run.databaseBytes(),
  };
}

function text(memory: Memory): string {
  return Object.entries(memory)
    .map(([name, bytes]) => `${name} ${megabytes(bytes)}`)
    .join(', ');
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
