import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptAddressKey } from '../../examples/mailer/address-hash.ts';
import { givenOrder } from '../support/mailer/api-double.ts';
import { type MailerBench, startMailerBench } from '../support/mailer/mailer.ts';

const key = 'another key of addresses, for tests alone';
let bench: MailerBench;
beforeEach(async () => {
  bench = await startMailerBench();
});
afterEach(() => bench.stop());

const search = (page: number) => `/v1/customers?search=buyer1%40example.com&limit=100&page_number=${page}`;
const customer = (org_customer_id: string, email_address: string | null) => ({ org_customer_id, email_address });

/** Two customers share the address, on two pages, beside others that the search finds. */
function givenCustomers(): void {
  const first = [customer('C-9', 'buyer1@example.com.au'), customer('C/1', 'Buyer1@Example.com')];
  bench.api.answers.set(search(1), { data: first, has_more: true });
  const second = [customer('C-2', 'buyer1@example.com'), customer('C-3', null)];
  bench.api.answers.set(search(2), { data: second, has_more: false });
  for (const path of ['C%2F1', 'C-2', 'C-9', 'C-3']) bench.api.answers.set(`/v1/customers/${path}/metadata`, {});
}

async function workOnAll(mailer: ReturnType<MailerBench['start']>): Promise<void> {
  for (const id of await mailer.due(10)) await mailer.work(id);
}

describe('an address that bounced', () => {
  it('marks every customer who has it, and nobody else', async () => {
    givenCustomers();
    const mailer = bench.start();
    await mailer.suppress(' Buyer1@Example.com', 'bounced');
    await mailer.suppress('buyer1@example.com', 'bounced');
    await workOnAll(mailer);
    const body = '{"metadata":{"email_bounced":"2026-04-01T00:00:00.000Z"}}';
    expect(bench.api.changes).toEqual(['C%2F1', 'C-2'].map((id) => `PUT /v1/customers/${id}/metadata ${body}`));
    expect(await mailer.list('event')).toEqual([]);
    expect(bench.lines.join('\n')).not.toMatch(/@|%40/);
  });

  it('of a person who complained has a mark of its own', async () => {
    givenCustomers();
    const mailer = bench.start();
    await mailer.suppress('buyer1@example.com', 'bounced');
    await mailer.suppress('buyer1@example.com', 'complained');
    await workOnAll(mailer);
    expect(bench.api.changes.filter((change) => change.includes('email_complained'))).toHaveLength(2);
  });

  it('gets no mail while the API does not answer, and its customer is marked afterwards, also by another process', async () => {
    givenCustomers();
    const mailer = bench.start();
    bench.api.isDown = true;
    await mailer.suppress('buyer1@example.com', 'bounced');
    await workOnAll(mailer);
    expect(await mailer.list('event')).toMatchObject([{ type: 'address.suppressed', failures: 1 }]);
    bench.api.isDown = false;
    expect(bench.api.changes).toEqual([]);

    const next = bench.start();
    const event = givenOrder(bench.api, 1);
    await bench.deliver(next, event);
    await next.work(event.id);
    expect(bench.mails()).toEqual([]);

    bench.nowMs += 3_600_000;
    await workOnAll(next);
    expect(bench.api.changes).toHaveLength(2);
    // The date is that of the report.
    expect(bench.api.changes[0]).toContain('2026-04-01T00:00:00.000Z');
    expect(await next.list('event')).toEqual([]);
  });

  it('whose customer cannot be marked is listed without the address, and marked when somebody asks for it', async () => {
    const address = 'buyer1@example.com';
    bench.api.answers.set(search(1), { data: [customer(address, address)], has_more: false });
    const mailer = bench.start();
    await mailer.suppress(address, 'bounced');
    for (let tries = 0; tries < 20; tries += 1) {
      await workOnAll(mailer);
      bench.nowMs += 4 * 3_600_000;
    }
    const [failed] = await mailer.list('failed');
    expect(failed).toMatchObject({ failures: 12, reason: '/v1/customers/…/metadata: 404' });
    expect(`${failed?.id} ${bench.lines.join('\n')}`).not.toMatch(/@|%40/);
    bench.api.answers.set('/v1/customers/buyer1%40example.com/metadata', {});
    expect(await mailer.resend(failed?.id ?? '')).toBe(true);
    await workOnAll(mailer);
    expect(await mailer.list('failed')).toEqual([]);
  });

  it('of somebody who is erased is not kept by a mark that has failed', async () => {
    const mailer = bench.start();
    await mailer.suppress('buyer1@example.com', 'bounced');
    for (let tries = 0; tries < 20; tries += 1) {
      await workOnAll(mailer);
      bench.nowMs += 4 * 3_600_000;
    }
    expect(await mailer.list('failed')).toHaveLength(1);
    bench.api.answers.set(search(1), { data: [], has_more: false });
    const data = { user_id: 7, org_customer_id: 'C-1', order_ids: [], membership_member_ids: [] };
    const erased = { id: 'evt_erased', type: 'customer.erased', data };
    await bench.deliver(mailer, erased);
    await workOnAll(mailer);
    expect([...(await mailer.list('failed')), ...(await mailer.list('event'))]).toEqual([]);
    expect(bench.api.changes).toEqual([]);
  });
});

describe('what stands for an address', () => {
  it('is different under another key, so nobody who reads the rows can try addresses', async () => {
    const names: string[] = [];
    for (const parts of [{}, { addressKey: key }]) {
      const mailer = bench.start(undefined, parts);
      await mailer.suppress('buyer1@example.com', 'bounced');
      names.push(...(await mailer.list('event')).map(({ id }) => id));
    }
    expect(new Set(names).size).toBe(2);
    await expect(bench.start(undefined, { addressKey: '' }).suppress('a@example.com', 'bounced')).rejects.toThrow(
      'key',
    );
  });

  it('has a key that is made once, and only its owner may read it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateline-copied-'));
    try {
      const key = keptAddressKey(join(folder, 'deep'));
      expect(key).toMatch(/^[0-9a-f]{64}$/);
      expect(keptAddressKey(join(folder, 'deep'))).toBe(key);
      expect(statSync(join(folder, 'deep', 'address-key')).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
