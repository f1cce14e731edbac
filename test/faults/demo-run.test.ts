import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';
import { readBody } from '../../local/cloud/http/read-body.ts';
import { runClock } from '../../local/commands/clock.ts';
import { startListening } from '../../local/commands/listen.ts';
import type { RunningGateline } from '../../local/commands/running.ts';
import { trigger } from '../../local/commands/trigger.ts';
import { adminTool } from '../support/admin.ts';
import { startDemo } from '../support/demo.ts';
import type { RunFile } from '../support/started-gateline.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateline-commands-'));
const localFolder = join(folder, '.local');
let cloud: Cloud;
let running: RunningGateline;
let run: RunFile;

beforeAll(async () => {
  ({ cloud, running } = await startDemo(localFolder));
  run = JSON.parse(readFileSync(join(localFolder, 'run.json'), 'utf8'));
});
afterAll(async () => {
  await cloud?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const runAdmin = adminTool({ localFile: join(localFolder, 'admin.json'), nowMs: () => Date.now() });
async function admin(...args: readonly string[]): Promise<void> {
  const answer = await runAdmin('--local', ...args);
  expect(answer).toMatchObject({ exitCode: 0 });
}

describe('npm run trigger', () => {
  // `npm run test:large` makes every type happen.
  it.each(['order.refund_failed', 'order.disputed', 'ticket.scanned'])(
    '%s happens on the demo',
    { timeout: 150_000 },
    async (type) => {
      const event = await trigger({ ...running, admin }, type);
      expect(event).toMatchObject({ type, org_id: running.orgId });
    },
  );

  it('refuses other types, and leaves no endpoint', async () => {
    await expect(trigger({ ...running, admin }, 'order.lost')).rejects.toThrow('There is no event type order.lost.');
    expect(await running.call('GET', '/v1/webhook_endpoints')).toMatchObject({ data: [] });
  });
});

describe('npm run clock', () => {
  it('moves the time of the run: a basket expires, and the CLI uses the same time', async () => {
    const { id } = await running.call('POST', '/v1/baskets', { org: running.orgId });
    const before = cloud.clock.now();
    expect(await runClock(running, ['+15m1s'])).toMatch(/^\d{4}-\d\d-\d\dT.*Z, .+ this machine$/);
    expect(cloud.clock.now() - before).toBeGreaterThanOrEqual(901_000);
    const retrieve = () => running.call('GET', `/v1/baskets/${id}`);
    await expect.poll(retrieve, { timeout: 50_000 }).toMatchObject({ status: 'expired' });
    const issued = await runAdmin('--local', '--json', 'key', 'list', running.orgId);
    expect(issued).toMatchObject({ exitCode: 0 });
  });

  it('needs the token of the run', async () => {
    const url = running.connection.control?.url ?? '';
    const sent = { method: 'POST', body: '{"seconds":60}' };
    expect((await fetch(url, sent)).status).toBe(401);
    const authorised = { headers: { Authorization: `Bearer ${running.connection.control?.token}` } };
    expect((await fetch(url, { ...authorised, method: 'POST', body: '{"seconds":-60}' })).status).toBe(400);
  });
});

describe('npm run listen', () => {
  it('prints each delivery, forwards it with a signature that is valid now, and removes its endpoint', async () => {
    const arrived: { body: string; headers: Record<string, string> }[] = [];
    const server = createServer((request, response) => {
      void readBody(request).then((body) => {
        const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
        arrived.push({ body: String(body), headers: Object.fromEntries(headers) });
        response.writeHead(200).end();
      });
    });
    const forwardTo = new URL(`http://127.0.0.1:${await listen(server, 0)}/hooks`);
    const lines: string[] = [];
    const listening = await startListening(running, { forwardTo, types: ['member.created'] }, (line) =>
      lines.push(line),
    );
    try {
      const { id } = await trigger({ ...running, admin }, 'member.created');
      await expect.poll(() => arrived.length, { timeout: 60_000 }).toBe(1);
      const [{ body, headers } = { body: '', headers: {} }] = arrived;
      expect(new Webhook(listening.secret).verify(body, headers)).toMatchObject({ id, type: 'member.created' });
      await expect
        .poll(() => lines, { timeout: 60_000 })
        .toEqual([expect.stringMatching('^verified   member.created .*→ 200')]);
    } finally {
      await listening.stop();
      await closeServer(server);
    }
    expect(await running.call('GET', '/v1/webhook_endpoints')).toMatchObject({ data: [] });
  });
});

describe('the reference page at /docs', () => {
  it('loads nothing from another origin', async () => {
    const page = await fetch(run.docs_url);
    expect(page.headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*connect-src 'self'/,
    );
    const sources = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = '']) => source);
    expect(sources).toEqual(['data:,', 'openapi.json', 'scalar.js', 'reference.js']);
    for (const name of sources.slice(1)) expect((await fetch(new URL(name, run.docs_url))).status, name).toBe(200);
    expect((await fetch(new URL('no-such-file', run.docs_url))).status).toBe(404);
  });
});
