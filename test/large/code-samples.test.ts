import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { runClock } from '../../local/commands/clock.ts';
import type { RunningGateline } from '../../local/commands/running.ts';
import { operations } from '../../shared/operations/registry.ts';
import { adminTool } from '../support/admin.ts';
import { startDemo } from '../support/demo.ts';
import { hasCurl, runShell, runTypeScript } from '../support/documents.ts';

const Sampled = v.object({
  operationId: v.string(),
  'x-codeSamples': v.array(v.object({ label: v.string(), source: v.string() })),
});
const Page = v.object({
  info: v.object({ description: v.string() }),
  paths: v.record(v.string(), v.record(v.string(), v.unknown())),
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** The environment that a reader has after the block that the page prints. */
async function readVariables(description: string, folder: string): Promise<Record<string, string>> {
  const [, block = ''] = /^```sh\n(export GATELINE_API_KEY=.*?)^```$/ms.exec(description) ?? [];
  const print = `printf '%s %s %s' "$GATELINE_API_KEY" "$GATELINE_SSO_TOKEN" "$GATELINE_NEW_SSO_TOKEN"`;
  const printed = await runShell(`cd '${folder}'\n${block}\n${print}`, {});
  const [key = '', token = '', newToken = ''] = printed.split(' ');
  return { GATELINE_API_KEY: key, GATELINE_SSO_TOKEN: token, GATELINE_NEW_SSO_TOKEN: newToken, HOME: folder };
}

/** Many samples register an endpoint, and an organisation has at most 20. */
async function removeEndpoints(running: RunningGateline): Promise<void> {
  const { data } = await running.call('GET', '/v1/webhook_endpoints');
  for (const { webhook_endpoint_id } of Array.isArray(data) ? data : []) {
    await running.call('DELETE', `/v1/webhook_endpoints/${webhook_endpoint_id}`);
  }
}

const runners: Record<string, (code: string, variables: Record<string, string>) => Promise<string>> = {
  ...(hasCurl && { curl: (code, variables) => runShell(`cd "$HOME"\n${code}`, variables) }),
  TypeScript: runTypeScript,
  ...(hasPython && { Python: (code, variables) => runShell(`python3 - <<'END'\n${code}\nEND`, variables) }),
};

/** As JSON, and as Node and Python print it. */
const isRefusal = (printed: string): boolean => /^(\d+ )?\{\s*["']?error["']?: ?\{/.test(printed);

describe.each([
  { demo: 'a new demo', moved: undefined },
  { demo: 'a demo whose clock was moved by 400 days', moved: '+400d' },
])('the code samples of the reference page, in any order on $demo', ({ moved }) => {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-samples-'));
  let cloud: Cloud;
  let running: RunningGateline;
  let samples: ReadonlyMap<string, readonly { label: string; source: string }[]>;
  let variables: Record<string, string>;

  beforeAll(async () => {
    ({ cloud, running } = await startDemo(join(folder, '.local')));
    if (moved !== undefined) await runClock(running, [moved]);
    // A quick machine sends more than 300 requests in a minute.
    const admin = adminTool({ localFile: join(folder, '.local/admin.json'), nowMs: () => Date.now() });
    for (const orgId of ['org_harbourfc', 'org_lantern'])
      expect(await admin('--local', 'org', 'update', orgId, '--key-minute', '6000')).toMatchObject({ exitCode: 0 });
    const page = v.parse(Page, await (await fetch(`${cloud.url}/docs/openapi.json`)).json());
    const sampled = Object.values(page.paths).flatMap((methods) => Object.values(methods));
    samples = new Map(
      sampled.flatMap((operation) => {
        const parsed = v.safeParse(Sampled, operation);
        return parsed.success ? [[parsed.output.operationId, parsed.output['x-codeSamples']] as const] : [];
      }),
    );
    variables = await readVariables(page.info.description, folder);
  });
  afterAll(async () => {
    await cloud?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const everyOrder = fc.shuffledSubarray([...operations], { minLength: operations.length });
  const [inOneOrder = []] = fc.sample(everyOrder, { seed: Number(process.env.SEED), numRuns: 1 });

  it.each(inOneOrder)('$id works as printed in curl, TypeScript and Python', async ({ id, output }) => {
    const ofOperation = samples.get(id) ?? [];
    expect(ofOperation.map(({ label }) => label)).toEqual(['curl', 'TypeScript', 'Python']);
    for (const { label, source } of ofOperation) {
      const printed = await runners[label]?.(source, variables);
      if (printed === undefined) continue;
      // curl saves a file under its name, and prints nothing.
      const isSaved = label === 'curl' && output.mediaType !== 'application/json';
      if (!isSaved) expect(printed, source).not.toBe('');
      expect(isRefusal(printed), `${source}\n${printed.slice(0, 1_000)}`).toBe(false);
    }
    await removeEndpoints(running);
  });
});
