import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readLocalConnection } from '../../bin/admin/local-connection.ts';
import { inspect } from '../../shared/data/door.ts';
import { openTable, patience } from '../../shared/data/table.ts';
import { type Scope, scopes } from '../../shared/domain/scopes.ts';
import { parseKey } from '../../shared/http/api-key.ts';
import { operations } from '../../shared/operations/registry.ts';
import { isAlive, type RunFile, StartedGateline } from '../support/started-gateline.ts';

// Whole starts with demo data, one after the other: on a busy machine they take their time. This only ends a hang.
vi.setConfig({ testTimeout: 240_000 });

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

/** Every operation that needs no id and no body, as a newcomer would call it. */
async function expectEveryList({ url, organisations }: RunFile): Promise<void> {
  const key = organisations[0]?.api_key;
  for (const { id, method, paths } of operations.filter(({ params }) => Object.keys(params.entries).length === 0)) {
    if (method !== 'GET') continue;
    const response = await fetch(`${url}${paths[0]}`, { headers: { Authorization: `Bearer ${key}` } });
    expect([id, response.status]).toEqual([id, 200]);
    await response.text();
  }
}

/** What the table says of a key, asked the way the platform team's tools reach it. */
async function scopesOf(text: string): Promise<readonly Scope[]> {
  const { table, region, endpoint, accessKeyId, secretAccessKey } = await readLocalConnection(
    join(directory, '.local', 'admin.json'),
  );
  const opened = openTable(table, { ...patience, region, endpoint, credentials: { accessKeyId, secretAccessKey } });
  const key = parseKey(text);
  const seen = key && (await inspect(opened, key, Date.now()));
  opened.client.destroy();
  return seen?.outcome === 'recognised' ? seen.scopes : [];
}

describe('npm start', () => {
  it('runs two organisations whose keys work, says so in run.json for its owner only, and Ctrl-C leaves nothing behind', async () => {
    const running = start({ GATELINE_DATA: 'memory' });
    const run = await running.ready();
    expect(running.output).toContain(`Gateline is ready at ${run.url}\n`);
    expect(running.output.match(/^ {2}curl /gm)).toHaveLength(3);
    expect(statSync(running.runFile).mode & 0o777).toBe(0o600);
    expect(run.pid).toBe(running.pid);
    expect(run.organisations).toHaveLength(2);
    await expectEveryList(run);
    expect(await scopesOf(run.organisations[0]?.api_key ?? '')).toEqual(scopes);
    expect(await scopesOf(run.organisations[0]?.read_only_key ?? '')).toEqual(['read']);
    for (const { org_id, name, api_key, read_only_key } of run.organisations) {
      expect(await organisation(run.url, api_key)).toMatchObject({ org_id, name });
      expect(await organisation(run.url, read_only_key)).toMatchObject({ org_id, name });
    }
    const children = running.descendants();
    expect(children.length).toBeGreaterThan(0);
    running.signal('SIGINT');
    expect(await running.exited).toBe(0);
    await expect.poll(() => children.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });

  it('keeps data and keys in its folder over a SIGKILL, which leaves no child behind', async () => {
    const data = join(directory, 'kept');
    const first = start({ GATELINE_DATA: data });
    const before = await first.ready();
    const children = first.descendants();
    first.signal('SIGKILL');
    await first.exited;
    await expect.poll(() => children.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    const after = await start({ GATELINE_DATA: data }).ready();
    expect(after.organisations).toEqual(before.organisations);
    const [{ api_key, org_id } = { api_key: '', org_id: '' }] = before.organisations;
    expect(await organisation(after.url, api_key)).toMatchObject({ org_id });
  });

  it('ends with npm, also when npm is killed outright', async () => {
    const npm = start({ GATELINE_DATA: 'memory', npm_lifecycle_event: 'start' });
    const { pid } = await npm.ready();
    const children = npm.descendants();
    expect(children).toContain(pid);
    npm.signal('SIGKILL');
    await expect.poll(() => children.filter(isAlive), { timeout: 20_000 }).toEqual([]);
  });

  it('says in one line that its port is taken, and exits with 1', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const refused = start({ GATELINE_DATA: 'memory', PORT: port });
    expect(await refused.exited).toBe(1);
    expect(refused.errors.trim().split('\n')).toEqual([expect.stringContaining(`Port ${port} is already in use`)]);
    server.close();
  });

  it.each([
    [{ GATELINE_DATA: '/dev/null/data' }, 'The folder /dev/null/data cannot be written'],
    [{ GATELINE_DATA: '/proc/data' }, 'The folder /proc/data cannot be written'],
    [{ PORT: 'http' }, 'PORT is http; it must be a number from 0 to 65535.'],
  ])('says in one line what is wrong with %j, and exits with 1', async (environment, message) => {
    const refused = start(environment);
    expect(await refused.exited).toBe(1);
    expect(refused.errors.trim().split('\n')).toEqual([expect.stringContaining(message)]);
    expect(refused.output).toBe('');
  });
});
