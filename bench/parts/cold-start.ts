import { rmSync, statSync } from 'node:fs';
import { bundle } from '../../lib/bundle.ts';
import { functionsFolder, handlerModules } from '../../lib/handlers.ts';
import { handlerModule } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { bareClientFolder, initMs } from '../harness/bare-client.ts';
import type { MeasurePart } from '../measure-part.ts';
import { atMost, median } from '../report/figures.ts';

/** In each round every function starts once, and the bare client just before it. */
const rounds = 7;
/** Functions above this ratio to the bare client are measured for twice as many rounds again. */
const borderline = 1.2;

/** They contain Stripe's library. The targets except them, and a table states what they cost (ADR 31). */
const paying: ReadonlySet<string> = new Set([
  ...operations.filter(({ effects }) => effects.usesPayments).map(handlerModule),
  ...workers.filter(({ effects }) => effects.usesPayments).map(({ module }) => module),
]);

/** They contain a library that draws or signs a document, and are called after the sale (ADR 66, 67). */
const documents: ReadonlySet<string> = new Set([
  ...operations.filter(({ output }) => output.mediaType !== 'application/json').map(handlerModule),
  'routes/apple-pass-file',
]);

/** It contains the texts, schemas and examples of the whole API, and no client waits for it to sell a ticket. */
const reference = 'api/service/openapi';

/** A start of a function, and of the bare client just before it. */
interface Start {
  readonly ms: number;
  readonly bareMs: number;
}

interface Started {
  readonly name: string;
  readonly kilobytes: number;
  readonly initMs: number;
  readonly ratio: number;
}

export const measureColdStart: MeasurePart = async ({ progress }) => {
  const modules = handlerModules(operations);
  const folder = bareClientFolder();
  try {
    const { codeOf } = bundle(['bare-client', ...modules], [folder, functionsFolder]);
    const fileOf = (module: string): string => codeOf(module).file;
    const starts = new Map<string, Start[]>(modules.map((module) => [module, []]));
    const startsOf = (module: string): Start[] => starts.get(module) ?? [];
    const ratioOf = (module: string): number => median(startsOf(module).map(({ ms, bareMs }) => ms / bareMs));
    for (let round = 1; round <= 3 * rounds; round += 1) {
      progress(`round ${round} of ${3 * rounds}`);
      for (const module of round <= rounds ? modules : modules.filter((name) => ratioOf(name) > borderline)) {
        startsOf(module).push({ bareMs: initMs(fileOf('bare-client')), ms: initMs(fileOf(module)) });
      }
    }
    const started = modules.map((name) => ({
      name,
      kilobytes: kilobytesOf(fileOf(name)),
      initMs: median(startsOf(name).map(({ ms }) => ms)),
      ratio: ratioOf(name),
    }));
    return findingsOf(started, kilobytesOf(fileOf('bare-client')));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

function kilobytesOf(file: string): number {
  return statSync(file).size / 1024;
}

function findingsOf(started: readonly Started[], bareKilobytes: number) {
  const bySize = [...started].sort((a, b) => b.kilobytes - a.kilobytes);
  const isOrdinary = ({ name }: Started): boolean => !paying.has(name) && !documents.has(name);
  const [largest] = bySize.filter((one) => isOrdinary(one) && one.name !== reference);
  const [largestPaying] = bySize.filter(({ name }) => paying.has(name));
  const slowestPaying = Math.max(...started.filter(({ name }) => paying.has(name)).map(({ ratio }) => ratio));
  const [slowest] = started.filter(isOrdinary).sort((a, b) => b.ratio - a.ratio);
  const typical = median(started.map(({ ratio }) => ratio));
  return {
    notes: [
      `${rounds} rounds; in each, every function starts once in a new process, just after a bundle that contains only the DynamoDB document client (${Math.round(bareKilobytes)} KB). The median of these ratios counts, because the speed of the machine changes between rounds, not within a pair. Functions above ${borderline} are measured for twice as many rounds again. Time is CPU time. The bare client opens its client while it loads, a seventh of its time; functions open theirs with the first request.`,
    ],
    tables: [
      {
        title:
          "Functions that call the payment provider: Stripe's library is in the bundle, and loaded with the first payment",
        columns: ['largest bundle', 'KB', 'slowest init over the bare client'],
        rows: [[largestPaying?.name ?? '', largestPaying?.kilobytes ?? 0, slowestPaying]],
      },
      {
        title: 'Cold starts',
        columns: ['function', 'bundle KB', 'init CPU ms', 'over the bare client'],
        rows: started.map(({ name, kilobytes, initMs: ms, ratio }) => [name, kilobytes, ms, ratio]),
      },
    ],
    targets: [
      atMost({
        name: `cold start: largest bundle in KB, without openapi, documents and the functions that call the payment provider (${largest?.name})`,
        value: largest?.kilobytes ?? 0,
        limit: 480,
        why: whyLarge(bareKilobytes),
      }),
      atMost({
        name: 'cold start: init over the bare client, median of all functions',
        value: typical,
        limit: 1.3,
        why: whySlow,
      }),
      atMost({
        name: `cold start: init over the bare client, slowest without documents and the functions that call the payment provider (${slowest?.name})`,
        value: slowest?.ratio ?? 0,
        limit: 1.45,
        why: whySlow,
      }),
    ],
  };
}

const whyLarge = (bareKilobytes: number): string =>
  `Besides the bare client's ${Math.round(bareKilobytes)} KB it contains the pipeline (middy, valibot, qs and our code: some 70 KB) and the operation's own code. ADR 31 says what would make it smaller.`;
const whySlow =
  "A third of a start is V8 parsing the code, which grows with the bundle; the pipeline and the operation's own code add up to three quarters of the bare client to it. ADR 31 says what would make it smaller.";
