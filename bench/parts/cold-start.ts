import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../lib/bundle.ts';
import { functionsFolder, handlerModules } from '../../lib/handlers.ts';
import { operations } from '../../shared/operations/registry.ts';
import type { MeasurePart } from '../parts.ts';
import { atMost, median } from '../report/figures.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const starts = 5;

/** What every function carries anyway, bundled in the same way, and nothing around it. */
const bareClient = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' }));
export const handler = () => [client, GetCommand, QueryCommand, TransactWriteCommand, UpdateCommand];
`;

/**
 * Loads a bundle as Lambda does, in a process that has done nothing else, and prints the milliseconds. Of CPU: nothing is waited
 * for meanwhile, and what else this machine does must not be counted.
 */
const load = `globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: (stream) => stream } };
const before = process.cpuUsage();
require(process.argv[1]);
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1e3));`;

interface Started {
  readonly name: string;
  readonly kilobytes: number;
  readonly initMs: number;
  /** Against the median of all starts of the bare client. */
  readonly ratio: number;
}

export const measureColdStart: MeasurePart = async ({ progress }) => {
  const modules = handlerModules(operations);
  // Below the project, so that the packages are found.
  const folder = mkdtempSync(join(root, '.local', 'bench-'));
  try {
    writeFileSync(join(folder, 'bare-client.ts'), bareClient);
    const codeOf = bundle(['bare-client', ...modules], [folder, functionsFolder]);
    const fileOf = (module: string): string => join(codeOf(module), 'index.js');
    const started = modules.map((module, index) => {
      if (index % 10 === 0) progress(`${index} of ${modules.length} functions`);
      const bareMs = initMs(fileOf('bare-client'));
      const own = Array.from({ length: starts }, () => initMs(fileOf(module)));
      return {
        name: module,
        kilobytes: statSync(fileOf(module)).size / 1024,
        initMs: median(own),
        bareMs,
      };
    });
    const bareMs = median(started.map((one) => one.bareMs));
    return findingsOf(
      started.map((one) => ({ ...one, ratio: one.initMs / bareMs })),
      statSync(fileOf('bare-client')).size / 1024,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};

function initMs(file: string): number {
  const environment = {
    PATH: process.env.PATH ?? '',
    AWS_REGION: 'eu-west-1',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
  return Number(
    execFileSync(process.execPath, ['-e', load, file], { env: environment, encoding: 'utf8', cwd: tmpdir() }),
  );
}

function findingsOf(started: readonly Started[], bareKilobytes: number) {
  const [largest] = [...started].sort((a, b) => b.kilobytes - a.kilobytes);
  const [slowest] = [...started].sort((a, b) => b.ratio - a.ratio);
  const typical = median(started.map(({ ratio }) => ratio));
  return {
    notes: [
      `${starts} starts of each function in fresh processes, after each function one of a bundle that only holds the DynamoDB document client (${Math.round(bareKilobytes)} KB); medians. Time is CPU time, which other work on the machine does not change.`,
    ],
    tables: [
      {
        title: 'Cold starts',
        columns: ['function', 'bundle KB', 'init CPU ms', 'over the bare client'],
        rows: started.map(({ name, kilobytes, initMs: ms, ratio }) => [name, kilobytes, ms, ratio]),
      },
    ],
    curves: [],
    targets: [
      atMost({
        name: `cold start: largest bundle in KB (${largest?.name})`,
        value: largest?.kilobytes ?? 0,
        limit: 400,
        why: whyLarge(bareKilobytes),
      }),
      atMost({
        name: 'cold start: init over the bare client, median of all functions',
        value: typical,
        limit: 1.3,
        why: whySlow,
      }),
      atMost({
        name: `cold start: init over the bare client, slowest (${slowest?.name})`,
        value: slowest?.ratio ?? 0,
        limit: 1.3,
        why: whySlow,
      }),
    ],
  };
}

const whyLarge = (bareKilobytes: number): string =>
  `Stripe's SDK is 290 KB, and check-out and the sweep of baskets carry it beside the bare client's ${Math.round(bareKilobytes)} KB. It is loaded when a payment is made and not at the start, so it costs bytes but little time. Needed: calls of Stripe without its SDK, or a package of it that holds payments only.`;
const whySlow =
  'Beside the document client it evaluates the pipeline (middy, valibot, the logger and metrics of Powertools, qs) and its schemas, or the clients of further services. Needed: a logger and metrics of our own, and schemas that are made when they are first used.';
