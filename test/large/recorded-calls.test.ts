import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { findRunning, type RunningGateline } from '../../local/commands/running.ts';
import { trigger } from '../../local/commands/trigger.ts';
import { startGateline } from '../../local/run/start.ts';
import { webhookEventTypes } from '../../shared/domain/webhooks/event-types.ts';
import { adminTool } from '../support/admin.ts';
import { comparable } from '../support/recording/comparable.ts';
import { Normaliser } from '../support/recording/normalise.ts';
import { recordCalls } from '../support/recording/record.ts';
import { startUnix } from '../support/recording/start-unix.ts';
import type { RunFile } from '../support/started-gateline.ts';
import { itIf } from '../support/thorough.ts';

const recordedFile = fileURLToPath(new URL('../../shared/openapi/recorded-calls.json', import.meta.url));
/** `npm run openapi:record` sets it, to write the examples instead of comparing them. */
const isRecording = process.env.GATELINE_RECORD !== undefined;
const recorded = JSON.parse(readFileSync(recordedFile, 'utf8'));
/** With `-t 'calls|written'` only the operations are recorded again, with `-t 'order.refunded|written'` only that webhook. */
const made: { operations: object; webhooks: Record<string, unknown> } = {
  operations: recorded.operations,
  webhooks: {},
};

/** Those of memberships last: they move the clock by months, and then no event of the demo is on sale. */
const isOfMembership = (type: string): boolean => /^(instalment|membership)\./.test(type);
const recordedTypes = webhookEventTypes.toSorted(
  (one, other) => Number(isOfMembership(one)) - Number(isOfMembership(other)),
);

const localFolder = mkdtempSync(join(tmpdir(), 'gateline-recording-'));
let cloud: Cloud;
let running: RunningGateline;

beforeAll(async () => {
  const settings = { port: 0, data: 'memory', demo: 'full', physics: 'none', localFolder } as const;
  cloud = await startGateline(settings, { onLog: () => {}, startsAtMs: startUnix * 1000 });
  running = await findRunning(localFolder);
});
afterAll(async () => {
  await cloud?.stop();
  rmSync(localFolder, { recursive: true, force: true });
});

const runAdmin = adminTool({ localFile: join(localFolder, 'admin.json'), nowMs: () => Date.now() });
async function admin(...args: readonly string[]): Promise<void> {
  expect(await runAdmin('--local', ...args)).toMatchObject({ exitCode: 0 });
}

// In this order: the calls depend on the data that calls before have left.
describe('the examples of the OpenAPI document', () => {
  it('the calls are answered on the demo as recorded', async () => {
    const run: RunFile = JSON.parse(readFileSync(join(localFolder, 'run.json'), 'utf8'));
    const { api_key } = run.organisations[0] ?? { api_key: '' };
    const answered = await recordCalls({
      running,
      key: api_key,
      ssoTokens: { linked: run.sso.linked_token, verified: run.sso.verified_token },
    });
    made.operations = new Normaliser(startUnix).example(answered);
    if (!isRecording) expect(comparable(made.operations)).toEqual(comparable(recorded.operations));
  });

  it.each(recordedTypes)('%s happens on the demo as recorded', async (type) => {
    const event = await trigger({ ...running, admin }, type);
    made.webhooks[type] = new Normaliser(startUnix).example(event);
    if (!isRecording) expect(comparable(made.webhooks[type])).toEqual(comparable(recorded.webhooks[type]));
  });

  itIf(isRecording)('the examples are written', () => {
    const webhooks = webhookEventTypes.map((type) => [type, made.webhooks[type] ?? recorded.webhooks[type]]);
    const examples = { operations: made.operations, webhooks: Object.fromEntries(webhooks) };
    writeFileSync(recordedFile, `${JSON.stringify(examples, null, 2)}\n`);
    // In a new process: this one has read the former examples.
    execFileSync('npm', ['run', 'openapi'], { stdio: 'inherit' });
  });
});
