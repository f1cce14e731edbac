import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';
import { readLocalConnection } from '../../local/run/connection-file.ts';
import { inspectKey } from '../../shared/data/auth/admit-key.ts';
import { batchClientConfig, openTable } from '../../shared/data/table/table.ts';
import { type Scope, scopes } from '../../shared/domain/auth/scopes.ts';
import { parseSigningKeys, readToken } from '../../shared/http/auth/signed-token.ts';
import { operations } from '../../shared/operations/registry.ts';
import { queryOf } from '../../tools/fixtures/contract/examples.ts';
import { isAlive } from '../support/processes.ts';
import { type RunFile, StartedGateline } from '../support/started-gateline.ts';

/** For tests that do not need data: without the demo's people a start takes half the time. */
const bare = { GATELINE_DATA: 'memory', GATELINE_DEMO: 'none' };

let directory: string;
let gateline: StartedGateline | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gateline-start-'));
});
afterEach(async () => {
  gateline?.signal('SIGKILL');
  await gateline?.exited;
  rmSync(directory, { recursive: true, force: true });
});

function start(environment: Record<string, string>): StartedGateline {
  gateline = new StartedGateline(directory, environment);
  return gateline;
}

const organisation = async (url: string, key: string): Promise<unknown> => {
  const response = await fetch(`${url}/v1/organisation`, { headers: { Authorization: `Bearer ${key}` } });
  return response.json();
};

/** Calls every operation that needs no id and no body, as a new user would. */
async function expectEveryList({ url, organisations, sso }: RunFile): Promise<void> {
  const key = organisations[0]?.api_key;
  for (const operation of operations.filter(({ input }) => Object.keys(input.params.entries).length === 0)) {
    const { id, method, paths, auth } = operation;
    if (method !== 'GET') continue;
    const query = new URLSearchParams(queryOf(operation));
    const fan = { ...(auth.ssoUser && { 'X-SSO-Token': sso.linked_token }) };
    const response = await fetch(`${url}${paths[0]}?${query}`, { headers: { Authorization: `Bearer ${key}`, ...fan } });
    expect([id, response.status]).toEqual([id, 200]);
    await response.text();
  }
}

/** Reads the scopes of a key from the table, as the CLI does. */
async function scopesOf(text: string): Promise<readonly Scope[]> {
  const connection = await readLocalConnection(join(directory, '.local', 'admin.json'));
  if (connection === undefined) throw new Error('The local run does not listen.');
  const { table, region, endpoint, accessKeyId, secretAccessKey, variables } = connection;
  const opened = openTable(table, {
    ...batchClientConfig,
    region,
    endpoint,
    credentials: { accessKeyId, secretAccessKey },
  });
  const key = readToken(text, parseSigningKeys(variables.TOKEN_PUBLIC_KEYS ?? ''));
  const seen = typeof key === 'object' ? await inspectKey(opened, key, Date.now()) : undefined;
  opened.client.destroy();
  return seen?.outcome === 'recognised' ? seen.scopes : [];
}

/** Checks the counts that a new user sees as soon as the service reports that it is ready. */
async function expectWholeClub({ url, organisations }: RunFile): Promise<void> {
  const headers = { Authorization: `Bearer ${organisations[0]?.read_only_key}` };
  const List = v.object({ data: v.array(v.unknown()), has_more: v.boolean() });
  const list = async (path: string) => v.parse(List, await (await fetch(`${url}/v1/${path}`, { headers })).json());
  expect((await list('members')).data).toHaveLength(1_500);
  const { data, has_more } = await list('customers?limit=100&page_number=6');
  expect([data.length, has_more]).toEqual([100, false]);
}

/** The first visit of the shop bundles its pages and registers its webhook endpoint. */
async function visitShop({ url, shop_url = '', organisations: [first] }: RunFile): Promise<void> {
  for (const path of ['/', '/shop.js']) expect((await fetch(`${shop_url}${path}`)).status).toBe(200);
  const headers = { Authorization: `Bearer ${first?.api_key}` };
  const endpoints = async () => (await fetch(`${url}/v1/webhook_endpoints`, { headers })).text();
  await expect.poll(endpoints, { timeout: 30_000 }).toContain('Sample shop');
}

describe('npm start', () => {
  it('npm start runs two organisations with working keys and keeps their data over a SIGKILL; Ctrl-C leaves nothing behind', async () => {
    const data = join(directory, 'kept');
    const first = start({ GATELINE_DATA: data });
    const run = await first.ready();
    await expectWholeClub(run);
    // Between them are the requests of the sample shops, which make their webhook endpoints.
    expect(first.output).toMatch(/^Creating the demo data …$/m);
    expect(first.output).toContain(`\nGateline is ready at ${run.url}\n`);
    expect(first.output.match(/^ {2}curl /gm)).toHaveLength(3);
    expect(statSync(first.runFile).mode & 0o777).toBe(0o600);
    expect(run.pid).toBe(first.pid);
    expect(run.organisations).toHaveLength(2);
    await expectEveryList(run);
    expect(await scopesOf(run.organisations[0]?.api_key ?? '')).toEqual(scopes);
    expect(await scopesOf(run.organisations[0]?.read_only_key ?? '')).toEqual(['read']);
    const children = first.descendants();
    first.signal('SIGKILL');
    await first.exited;
    await expect.poll(() => children.filter(isAlive), { timeout: 10_000 }).toEqual([]);

    const second = start({ GATELINE_DATA: data });
    const again = await second.ready();
    expect(again.organisations).toEqual(run.organisations);
    await expectWholeClub(again);
    for (const { org_id, name, api_key, read_only_key, publishable_key } of again.organisations) {
      for (const key of [api_key, read_only_key, publishable_key]) {
        expect(await organisation(again.url, key)).toMatchObject({ org_id, name });
      }
    }
    await visitShop(again);
    const itsChildren = second.descendants();
    expect(itsChildren.length).toBeGreaterThan(0);
    second.signal('SIGINT');
    expect(await second.exited).toBe(0);
    await expect.poll(() => itsChildren.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });

  it('npm start ends with npm, also when npm is killed', async () => {
    const npm = start({ ...bare, npm_lifecycle_event: 'start' });
    const { pid } = await npm.ready();
    const children = npm.descendants();
    expect(children).toContain(pid);
    npm.signal('SIGKILL');
    await expect.poll(() => children.filter(isAlive), { timeout: 20_000 }).toEqual([]);
    expect(npm.output).toContain('Stopping: npm, which started this process, has ended.');
  });

  it('npm start reports in one line that its port is taken, and exits with 1', async () => {
    const server = createServer();
    const port = String(await listen(server, 0));
    const refused = start({ ...bare, PORT: port });
    expect(await refused.exited).toBe(1);
    expect(refused.errors.trim().split('\n')).toEqual([expect.stringContaining(`Port ${port} is already in use`)]);
    await closeServer(server);
  });

  it('npm start reports in one line what is wrong with a setting, and exits with 1', async () => {
    const refused = start({ PORT: 'http' });
    expect(await refused.exited).toBe(1);
    expect(refused.errors.trim()).toBe('PORT must be a number from 0 to 65535, not http.');
    expect(refused.output).toBe('');
  });
});
