import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle as handleList } from '../../../functions/api/customers/list-consents.ts';
import { handle as handleRecord } from '../../../functions/api/customers/record-consent.ts';
import { readCustomer } from '../../../shared/data/customers/read.ts';
import { saveCustomer } from '../../../shared/data/customers/save.ts';
import { removeLink, saveLink } from '../../../shared/data/sso/links.ts';
import { saveProvider } from '../../../shared/data/sso/providers.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { listConsents } from '../../../shared/operations/customers/list-consents.ts';
import { recordConsent } from '../../../shared/operations/customers/record-consent.ts';
import { importedConsents } from '../../../shared/sales/consents/imported-consents.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { IdentityProvider } from '../../../tools/fixtures/sso.ts';
import { noonUnix } from '../../support/baskets.ts';
import { callHandler, type HandlerCall } from '../../support/call-handler.ts';
import { CrashPoint, crashingTable, RacePoint } from '../../support/faults/crashing-deps.ts';
import { announcedOf } from '../../support/feed.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';

await givenStackSecret();

const login = new IdentityProvider('https://login.example.com');
const emails = { purpose: 'marketing', channel: 'email', given: true, text_version: 'v1' };
const listed = v.looseObject({
  data: v.array(v.looseObject({})),
  current: v.array(v.looseObject({})),
  next_cursor: v.nullable(v.string()),
});

let table: Table;
let clubs = 0;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** A club with a customer, who is the fan ada, and another one. */
async function givenClub() {
  clubs += 1;
  const orgId = `org_consents${clubs}`;
  const customer = await givenCustomer(table, orgId, { orgCustomerId: 'C-1', emailAddress: 'ada@example.com' });
  const other = await givenCustomer(table, orgId, { orgCustomerId: 'C-2', emailAddress: 'eve@example.com' });
  await saveProvider(table, orgId, login.asProvider());
  await saveLink(table, orgId, { issuer: login.issuer, subject: 'ada', userId: customer.userId, linkedUnix: 1 });
  const clock = { nowMs: noonUnix * 1000 };
  const call = (own: Partial<HandlerCall> = {}): HandlerCall => ({ table, orgId, nowMs: clock.nowMs, ...own });
  const asFan: Partial<HandlerCall> = { kind: 'storefront', ssoToken: login.token('ada') };
  const record = (body: object, own?: Partial<HandlerCall>, customer_id = 'C-1') =>
    callHandler(recordConsent, handleRecord, { params: { customer_id }, body: { ...body } }, call(own));
  const list = async (query: object = {}, own?: Partial<HandlerCall>, customer_id = 'C-1') =>
    v.parse(
      listed,
      await callHandler(listConsents, handleList, { params: { customer_id }, query: { ...query } }, call(own)),
    );
  const wantsEmails = async () => (await readCustomer(table, orgId, customer.userId))?.marketingEmails;
  const events = async () =>
    (await announcedOf(table, orgId)).flatMap(({ type, data }) => ('consent' in data ? [[type, data.consent]] : []));
  return { orgId, customer, other, clock, record, list, asFan, wantsEmails, events };
}

describe('record-consent', () => {
  it('adds to the history, and the newest counts for each purpose and channel', async () => {
    const { clock, customer, record, list } = await givenClub();
    const said = { user_id: customer.userId, source: 'staff', recorded_at: noonUnix, order_id: null };
    expect(await record(emails)).toEqual({ ...emails, ...said });
    clock.nowMs += 60_000;
    await record({ ...emails, given: false, text_version: 'v2' });
    await record({ ...emails, channel: 'sms' });
    const { data, current } = await list();
    expect(data).toMatchObject([{ channel: 'sms' }, { given: false, recorded_at: noonUnix + 60 }, { given: true }]);
    expect(current).toMatchObject([
      { channel: 'email', given: false, text_version: 'v2' },
      { channel: 'sms', given: true },
    ]);
  });

  it('marketing_emails of the customer follows purpose marketing and channel email, and nothing else', async () => {
    const { record, wantsEmails, customer, orgId } = await givenClub();
    await record({ ...emails, purpose: 'partners' });
    await record({ ...emails, channel: 'sms' });
    expect(await wantsEmails()).toBe(false);
    expect((await readCustomer(table, orgId, customer.userId))?.version).toBe(1);
    await record(emails);
    expect(await wantsEmails()).toBe(true);
    await record({ ...emails, given: false });
    expect(await wantsEmails()).toBe(false);
  });

  it('announces what changed in the transaction of the change, and not what counted before', async () => {
    const { clock, record, list, events } = await givenClub();
    await record(emails);
    await record(emails);
    clock.nowMs += 1;
    await record({ ...emails, text_version: 'v2' });
    expect(await events()).toMatchObject([
      ['customer.consent_changed', { text_version: 'v1', given: true }],
      ['customer.consent_changed', { text_version: 'v2', given: true }],
    ]);
    expect((await list()).data).toHaveLength(3);
  });

  it('a fan records and reads the own consents on a page, also by the id me', async () => {
    const { record, list, asFan, wantsEmails } = await givenClub();
    await record(emails, asFan, 'me');
    await record({ ...emails, given: false }, asFan);
    expect((await list({}, asFan, 'me')).data).toMatchObject([
      { given: false, source: 'page' },
      { given: true, source: 'page' },
    ]);
    expect(await wantsEmails()).toBe(false);
  });

  it.each([
    ['of another customer with the token of a fan', 'C-2', 'resource_not_found', true],
    ['on a page without a fan', 'C-1', 'sso_token_missing', false],
    ['of nobody', 'C-9', 'resource_not_found', undefined],
  ] as const)('refuses the consents %s, and writes nothing', async (_what, customerId, code, isFan) => {
    const { orgId, record, list, asFan } = await givenClub();
    const caller = { true: asFan, false: { kind: 'storefront' } as const, undefined: {} }[`${isFan}`];
    await expect(record(emails, caller, customerId)).rejects.toMatchObject({ code });
    await expect(list({}, caller, customerId)).rejects.toMatchObject({ code });
    expect((await itemsLike(table, 'CNS#')).filter(({ pk }) => String(pk).includes(orgId))).toEqual([]);
  });

  it('of a fan who is unlinked at any moment of the request are refused, and nothing is written', async () => {
    for (let at = 1; ; at += 1) {
      const { orgId, record, list, events, asFan, wantsEmails } = await givenClub();
      const race = new RacePoint(at, 'before', () =>
        removeLink(table, orgId, { issuer: login.issuer, subject: 'ada' }),
      );
      const answer = record(emails, { ...asFan, table: crashingTable(table, race) }, 'me');
      const code = await answer.then(
        () => 'recorded',
        (error) => error.code,
      );
      if (race.calls < at) {
        expect([code, at > 5]).toEqual(['recorded', true]);
        return;
      }
      expect(['sso_user_not_linked', 'resource_not_found'], `call ${at}`).toContain(code);
      expect([(await list()).data, await events(), await wantsEmails()]).toEqual([[], [], false]);
    }
  });

  it.each([
    ['a fan who names another customer', 'C-2', true, 'send me as customer_id'],
    ['a server that sends me', 'me', false, 'needs the token of a fan in X-SSO-Token'],
    ['a server that sends a user_id', '1', false, 'is an org_customer_id'],
  ] as const)('tells %s which id belongs here', async (_what, customerId, isFan, advice) => {
    const { record, asFan } = await givenClub();
    const message = expect.stringContaining(advice);
    await expect(record(emails, isFan ? asFan : {}, customerId)).rejects.toMatchObject({ message });
  });

  it('of many at the same moment each is in the history, and the last one written counts', async () => {
    const { record, list, wantsEmails } = await givenClub();
    await Promise.all([true, false, true, false, true].map((given) => record({ ...emails, given })));
    const { data, current } = await list();
    expect(data).toHaveLength(5);
    expect(current).toEqual([data[0]]);
    expect(await wantsEmails()).toBe(data[0]?.given);
  });

  it('refuses the 51st pair of purpose and channel, and writes nothing', async () => {
    const { record, list } = await givenClub();
    for (let index = 0; index < 50; index += 1) await record({ ...emails, purpose: `p${index}` });
    await expect(record({ ...emails, purpose: 'p50' })).rejects.toMatchObject({ code: 'parameter_invalid' });
    await record({ ...emails, purpose: 'p0', given: false });
    const { data, current } = await list({ limit: 100 });
    expect([data.length, current.length]).toEqual([51, 50]);
  });

  it('a request that dies at any of its calls is whole or leaves nothing', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let at = 1; ; at += 1) {
        const { record, list, events, wantsEmails } = await givenClub();
        const crash = new CrashPoint(at, when);
        const answer = await crash.resultOf(record(emails, { table: crashingTable(table, crash) }));
        const { data, current } = await list();
        const count = data.length;
        expect([current.length, (await events()).length, await wantsEmails()]).toEqual([count, count, count === 1]);
        if (answer !== undefined) break;
      }
    }
  });
});

describe('an import of customers', () => {
  it('adds a consent only if marketing_emails changes, and announces nothing', async () => {
    const { orgId, list, record, events, wantsEmails } = await givenClub();
    const load = (marketingEmails: boolean) => {
      const callerItems = importedConsents({ table, orgId, clock: { nowMs: () => noonUnix * 1000 } });
      return saveCustomer(table, orgId, { orgCustomerId: 'C-1', marketingEmails, callerItems }, noonUnix);
    };
    await load(false);
    expect((await list()).data).toEqual([]);
    await load(true);
    await load(true);
    const imported = { ...emails, text_version: null, source: 'import' };
    expect(await list()).toMatchObject({ data: [imported], current: [imported] });
    await record({ ...emails, given: false });
    expect(await wantsEmails()).toBe(false);
    await load(true);
    expect((await list()).data).toMatchObject([imported, { given: false, source: 'staff' }, imported]);
    expect(await events()).toHaveLength(1);
  });
});

describe('list-consents', () => {
  it('has pages from the newest on, of any size', async () => {
    const { record, list } = await givenClub();
    for (let index = 0; index < 5; index += 1) await record({ ...emails, text_version: `v${index}` });
    for (const limit of [1, 2, 3, 5]) {
      const versions: unknown[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await list({ limit, ...(cursor && { cursor }) });
        versions.push(...page.data.map(({ text_version }) => text_version));
        expect(page.current).toMatchObject([{ text_version: 'v4' }]);
        cursor = page.next_cursor;
      } while (cursor !== null);
      expect(versions).toEqual(['v4', 'v3', 'v2', 'v1', 'v0']);
    }
  });

  it('shows what was imported before there was a history as what counts now', async () => {
    const { orgId, list } = await givenClub();
    await givenCustomer(table, orgId, { orgCustomerId: 'C-3', marketingEmails: true });
    expect(await list({}, {}, 'C-3')).toMatchObject({
      data: [],
      current: [{ purpose: 'marketing', channel: 'email', given: true, source: 'import', text_version: null }],
    });
  });
});
