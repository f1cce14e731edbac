import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { smoke } from '../../admin/smoke/smoke.ts';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { startDynamoDbLocal } from '../../local/cloud/dynamodb/dynamodb-local.ts';
import { startGateline } from '../../local/run/start.ts';
import { findingsOf } from '../support/audit.ts';
import { givenOnSale, type OnSale } from '../support/baskets.ts';
import { operatorTable } from '../support/operator-table.ts';
import { restoreCommand } from '../support/restore-command.ts';
import type { RunFile } from '../support/started-gateline.ts';
import { type Receiver, respondWith, startReceiver } from '../support/webhooks/receiver.ts';
import { verifySignature } from '../support/webhooks/verify-signature.ts';

const directory = mkdtempSync(join(tmpdir(), 'gateline-rehearsal-'));
const localFolder = join(directory, '.local');
const settings = {
  port: 0,
  data: { folder: join(localFolder, 'data') },
  demo: 'full',
  physics: 'none',
  localFolder,
} as const;
const orgId = 'org_harbourfc';
const patience = { timeout: 120_000, interval: 500 };

let cloud: Cloud | undefined;
let healthy: Receiver;
let failing: Receiver;
beforeAll(async () => {
  healthy = await startReceiver();
  failing = await startReceiver(respondWith(500));
});
afterAll(async () => {
  await cloud?.stop();
  await healthy.stop();
  await failing.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The service, with the keys of its first organisation. */
async function start(schedules: 'on' | 'off') {
  const started = await startGateline(settings, { schedules, onLog: () => undefined });
  cloud = started;
  const run: RunFile = JSON.parse(readFileSync(join(localFolder, 'run.json'), 'utf8'));
  const organisation = run.organisations[0];
  if (organisation === undefined) throw new Error('The demo has no organisation.');
  const call = async (path: string, body?: object, key = organisation.api_key) => {
    const response = await fetch(`${run.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return { cloud: started, organisation, call };
}
type Run = Awaited<ReturnType<typeof start>>;

const Created = v.object({ id: v.string() });
const Order = v.looseObject({ order_id: v.number(), tickets: v.array(v.looseObject({ barcode: v.string() })) });
const Endpoint = v.object({ webhook_endpoint_id: v.string(), secret: v.string() });

async function fillBasket({ call }: Run, { price }: OnSale): Promise<string> {
  const { id } = v.parse(Created, (await call('/v1/baskets', { org: orgId })).body);
  const added = await call(`/v1/baskets/${id}/items`, { price_id: price.priceId, quantity: 2 });
  expect(added.body, JSON.stringify(added.body)).toMatchObject({ status: 'open' });
  return id;
}

const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };

async function sell(run: Run, onSale: OnSale) {
  const basket = await fillBasket(run, onSale);
  const sold = await run.call(`/v1/baskets/${basket}/checkout`, { payment_method: 'pm_card_visa', customer });
  expect(sold, JSON.stringify(sold.body)).toMatchObject({ body: { status: 'confirmed' } });
  return v.parse(Order, sold.body);
}

const Prepared = v.object({
  payment: v.object({ next_action: v.object({ redirect_to_url: v.object({ url: v.string() }) }) }),
});

/** The buyer pays at the provider, and does not return to the shop. The order has the id of the basket. */
async function payOnly(run: Run, onSale: OnSale): Promise<number> {
  const basket = await fillBasket(run, onSale);
  const { body } = await run.call(`/v1/baskets/${basket}/payment`, { customer });
  const { url } = v.parse(Prepared, body).payment.next_action.redirect_to_url;
  await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ decision: 'approve' }) });
  return Number(basket);
}

/** How often each order arrived as order.completed. */
function ordersIn(arrivals: Receiver['arrivals']): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { body } of arrivals) {
    const { type, data } = JSON.parse(body);
    if (type === 'order.completed') counts[data.order.order_id] = (counts[data.order.order_id] ?? 0) + 1;
  }
  return counts;
}

function functionOf({ template }: Cloud, name: RegExp): string {
  const [found] = template.ofType('AWS::Lambda::Function').filter(({ logicalId }) => name.test(logicalId));
  if (found === undefined) throw new Error(`There is no function ${name}.`);
  return found.logicalId;
}

async function loseTable(TableName: string): Promise<void> {
  const { endpoint, stop } = await startDynamoDbLocal({ data: settings.data });
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'a' },
  });
  await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
  await stop();
}

const restoreArgs = ['--from', 'table.json.gz', '--table', 'gateline-local-2', '--switch'];

it('a lost table is restored from an export on one machine: what was sold is there, and what was in flight is completed once', async () => {
  const before = await start('off');
  const table = operatorTable(before.cloud);
  const onSale = await givenOnSale(table, orgId, { capacity: 100 });
  const [arriving, waiting] = await Promise.all(
    [healthy, failing].map(async ({ url }) => {
      const { body } = await before.call('/v1/webhook_endpoints', { url, types: ['order.*'] });
      return v.parse(Endpoint, body);
    }),
  );

  // The delivery of this order waits for its next attempt.
  const delivered = await sell(before, onSale);
  await expect.poll(() => ordersIn(healthy.arrivals), patience).toEqual({ [delivered.order_id]: 1 });
  await expect.poll(() => failing.arrivals.length, patience).toBeGreaterThan(0);
  // Nothing publishes the event of this one.
  await before.cloud.setEventSource(functionOf(before.cloud, /publishoutbox/i), false);
  const unpublished = await sell(before, onSale);
  const paid = await payOnly(before, onSale);
  expect(await before.call(`/v1/orders/${paid}`)).toMatchObject({ status: 404 });
  // No sweeper has released this basket.
  const expired = await fillBasket(before, onSale);
  before.cloud.clock.advance(16 * 60);

  const early = await restoreCommand(directory, ['--export', 'table.json.gz']);
  expect(early).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`is in use by process ${process.pid}`) });
  table.client.destroy();
  await before.cloud.stop();
  const exported = await restoreCommand(directory, ['--export', 'table.json.gz']);
  expect(exported, exported.stderr).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ {2}\d+ rows$/m) });
  await loseTable(table.name);
  await expect(start('off')).rejects.toThrow(`The table ${table.name} is missing in the data folder.`);

  for (const step of ['restore …', 'prepare …', 'verify …', 'switch …']) {
    const killed = await restoreCommand(directory, restoreArgs, step);
    expect(killed.stdout + killed.stderr).toContain(step);
  }
  const restored = await restoreCommand(directory, restoreArgs);
  // The last kill is before the switch or after it.
  if (restored.exitCode === 0) expect(restored.stdout).toMatch(/^switch: [\d.]+ s$/m);
  else expect(restored.stderr).toContain('gateline-local-2 is the table in use.');

  const refused = failing.arrivals.length;
  failing.respond = respondWith(200);
  const after = await start('on');
  expect(after.organisation).toEqual(before.organisation);
  for (const { order_id } of [delivered, unpublished]) {
    expect(await after.call(`/v1/orders/${order_id}`)).toMatchObject({ status: 200, body: { order_id } });
  }

  // The sweepers run every minute, and find what is overdue.
  const isDone = async () => {
    after.cloud.clock.advance(60);
    const { body } = await after.call(`/v1/baskets/${expired}`);
    const { status: basket } = v.parse(v.object({ status: v.string() }), body);
    const acknowledged = failing.arrivals.slice(refused);
    return { basket, healthy: ordersIn(healthy.arrivals), failing: ordersIn(acknowledged) };
  };
  const once = { [delivered.order_id]: 1, [unpublished.order_id]: 1, [paid]: 1 };
  const done = { basket: 'expired', healthy: once, failing: once };
  await expect.poll(isDone, { ...patience, interval: 5_000 }).toEqual(done);

  const sold = await sell(after, onSale);
  const all = { ...once, [sold.order_id]: 1 };
  await expect.poll(() => ordersIn(healthy.arrivals), patience).toEqual(all);
  await expect.poll(() => ordersIn(failing.arrivals.slice(refused)), patience).toEqual(all);
  for (const [receiver, endpoint] of [
    [healthy, arriving],
    [failing, waiting],
  ] as const) {
    for (const arrival of receiver.arrivals) {
      const sentMs = Number(arrival.headers['webhook-timestamp']) * 1000;
      expect(verifySignature(arrival, endpoint?.secret ?? '', sentMs)).toMatchObject({ org_id: orgId });
    }
  }

  const { publishable_key, gate_token } = before.organisation;
  expect(await after.call('/v1/events', undefined, publishable_key)).toMatchObject({ status: 200 });
  const scan = { barcode: unpublished.tickets[0]?.barcode };
  expect(await after.call(`/v1/events/${onSale.event.eventId}/scans`, scan, gate_token)).toMatchObject({
    body: { result: 'ok' },
  });
  const restoredTable = operatorTable(after.cloud);
  expect(restoredTable.name).toBe('gateline-local-2');
  for (const { org_id } of [after.organisation, { org_id: 'org_lantern' }]) {
    await expect.poll(() => findingsOf(restoredTable, org_id), patience).toEqual([]);
  }
  restoredTable.client.destroy();
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const surroundings = { environment: {}, localFolder, interruption: new AbortController().signal };
  const checked = ['--stage', 'local', '--only', 'health,authentication,stream'];
  expect(await smoke(checked, { ...surroundings, print, printError: print }), lines.join('\n')).toBe(0);
});

it('an export after a restore has the rows of the table in use; a table that exists is not restored into', async () => {
  await cloud?.stop();
  const exported = await restoreCommand(directory, ['--export', 'again.json.gz']);
  expect(exported, exported.stderr).toMatchObject({ exitCode: 0 });
  const refused = await restoreCommand(directory, ['--from', 'again.json.gz', '--table', 'gateline-local-2']);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is the table in use') });
  const restored = await restoreCommand(directory, ['--from', 'again.json.gz', '--table', 'gateline-local-3']);
  expect(restored, restored.stderr).toMatchObject({ exitCode: 0 });
  const other = await restoreCommand(directory, ['--from', 'table.json.gz', '--table', 'gateline-local-3']);
  expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('exists, and not from an interrupted') });
  expect(existsSync(join(directory, 'again.json.gz'))).toBe(true);
});
