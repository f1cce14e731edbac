import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { killedAt } from '../../support/faults/faulty-table.ts';
import { announcedOf, pendingOf } from '../../support/feed.ts';
import { givenMetadataWorld, type MetadataWorld, type WithMetadata } from '../../support/metadata-world.ts';
import { everyRow } from '../../support/rows/every-row.ts';
import { createTestTable } from '../../support/table.ts';
import { longTest } from '../../support/thorough.ts';

let table: Table;
let world: MetadataWorld;
beforeAll(async () => {
  ({ table } = await createTestTable());
  world = await givenMetadataWorld(table, 'org_pairs');
});

type Name = keyof MetadataWorld['resources'];
const names: readonly Name[] = [
  'event',
  'price',
  'membership type',
  'membership category',
  'customer',
  'member',
  'order',
];
const of = (name: Name): WithMetadata => world.resources[name];

/** What the table has of the organisation, without counts of requests. */
async function rowsNow(): Promise<string> {
  const rows = [...(await everyRow(table)).values()];
  return JSON.stringify(rows.filter(({ pk }) => !/^(AUTH|CNT|REQ|RQL|HOLD)/.test(pk)));
}

describe.each(names)('the metadata of the %s', (name) => {
  it('is {} at first, merged by key, and deleted by null, by an empty text or as a whole', async () => {
    const { set, shown } = of(name);
    expect(await shown()).toEqual({});
    expect(await set({ seat_color: 'red', crm: 'A-1', gone: 'x' })).toMatchObject({
      status: 200,
      body: { metadata: { seat_color: 'red', crm: 'A-1', gone: 'x' } },
    });
    await set({ crm: null, gone: '', 'a-b': 'Grüße 🎟' });
    expect(await shown()).toEqual({ seat_color: 'red', 'a-b': 'Grüße 🎟' });
    await set({});
    expect(await shown()).toEqual({ seat_color: 'red', 'a-b': 'Grüße 🎟' });
    await set(null);
    expect(await shown()).toEqual({});
  });

  it.each([
    ['a key with a capital', { Seat: 'x' }, 'metadata[Seat]'],
    ['a key of 41 characters', { ['k'.repeat(41)]: 'x' }, `metadata[${'k'.repeat(41)}]`],
    ['an empty key', { '': 'x' }, 'metadata[]'],
    ['a key that programs reserve', { constructor: 'x' }, 'metadata[constructor]'],
    ['a value of 251 characters', { seat_color: '🎟'.repeat(251) }, 'metadata[seat_color]'],
    ['a value with a control character', { seat_color: 'a\u0000b' }, 'metadata[seat_color]'],
    ['a number', { seat_color: 7 }, 'metadata[seat_color]'],
    ['a list', ['x'], 'metadata'],
    ['a text', 'x', 'metadata'],
  ])('refuses %s, names the parameter and writes nothing', async (_what, change, param) => {
    await of(name).set({ kept: 'here' });
    const before = await rowsNow();
    expect(await of(name).set(change)).toMatchObject({
      status: 400,
      body: { error: { code: 'parameter_invalid', param } },
    });
    expect(await rowsNow()).toBe(before);
    await of(name).set(null);
  });

  it('has at most 20 pairs and 2 KB in all, of what was there and what is sent together', async () => {
    const { set, shown } = of(name);
    const pairs = (count: number, from = 0, value = 'x') =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${from + index}`, value]));
    await set(pairs(20));
    expect(await set(pairs(1, 20))).toMatchObject({ status: 400, body: { error: { param: 'metadata' } } });
    expect(Object.keys(Object(await shown()))).toHaveLength(20);
    expect((await set({ key_0: null, key_20: 'x' })).status).toBe(200);
    await set(null);
    // 8 keys of 5 bytes with 250 characters, and 8 bytes more.
    await set(pairs(8, 0, 'x'.repeat(250)));
    expect((await set({ rest1: 'xxx' })).status).toBe(200);
    const before = await rowsNow();
    expect(await set({ rest1: 'xxxx' })).toMatchObject({
      status: 400,
      body: { error: { param: 'metadata', message: expect.stringContaining('2049 bytes') } },
    });
    expect(await rowsNow()).toBe(before);
    await set(null);
  });

  it('loses nothing of two changes at the same moment', async () => {
    const { set, shown } = of(name);
    await Promise.all([set({ one: '1' }), set({ two: '2' }), set({ three: '3' })]);
    expect(await shown()).toEqual({ one: '1', two: '2', three: '3' });
    await set(null);
  });

  it('leaves no attribute in any row when it is gone', async () => {
    await of(name).set({ trace_of_metadata: 'x' });
    expect(await rowsNow()).toContain('trace_of_metadata');
    await of(name).set({ trace_of_metadata: null });
    const rows = [...(await everyRow(table)).values()].filter(({ pk }) => !pk.startsWith('FEED'));
    expect(rows.filter((row) => 'metadata' in row || 'meta' in row)).toEqual([]);
  });
});

describe('metadata in a form', () => {
  it('is sent as metadata[key]=value, and an empty value deletes', async () => {
    const { call, member } = world;
    const params = { membership_member_id: String(member.memberId) };
    const form = (body: string) =>
      call('set-member-metadata', { params, body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
    expect((await form('metadata[seat]=A+1&metadata[crm]=7')).body.metadata).toEqual({ seat: 'A 1', crm: '7' });
    expect((await form('metadata[seat]=')).body.metadata).toEqual({ crm: '7' });
    expect((await form('metadata=')).body.metadata).toEqual({});
  });
});

describe('a change of metadata', () => {
  it('sets updated_at of a customer, so that a copy by updated_since gets it', async () => {
    const { call, listed, customer } = world;
    const later = Date.UTC(2026, 10, 8, 12);
    await call('set-customer-metadata', {
      params: { customer_id: 'C-1' },
      body: { metadata: { crm: '9' } },
      nowMs: later,
    });
    const copied = await listed('list-customers', { query: { updated_since: String(later / 1000 - 1) } });
    expect(copied).toMatchObject({ user_id: customer.userId, updated_at: later / 1000, metadata: { crm: '9' } });
    // The same again changes nothing.
    await call('set-customer-metadata', { params: { customer_id: 'C-1' }, body: { metadata: { crm: '9' } } });
    expect(await listed('list-customers')).toMatchObject({ updated_at: later / 1000 });
  });

  it('is announced with what was there before, for an event, a price and a member', async () => {
    const { orgId } = await givenMetadataWorld(table, 'org_announced').then(async (own) => {
      for (const name of ['event', 'price', 'member'] as const) {
        await own.resources[name].set({ crm: '1' });
        await own.resources[name].set({ crm: '2' });
        await own.resources[name].set({ crm: '2' });
      }
      return own;
    });
    const announced = (await announcedOf(table, orgId)).filter(({ type }) => type.endsWith('.updated'));
    const last = { metadata: { crm: '2' } };
    const changes = { changed: ['metadata'], previous: { metadata: { crm: '1' } } };
    expect(announced).toHaveLength(6);
    expect(announced.filter((_, index) => index % 2 === 1)).toMatchObject([
      { type: 'event.updated', data: { event: last, ...changes } },
      { type: 'price.updated', data: { price: last, ...changes } },
      { type: 'member.updated', data: { member: last } },
    ]);
  });

  longTest.each([
    ['set-member-metadata', 'member', 1],
    ['set-customer-metadata', 'customer', 0],
    ['set-order-metadata', 'order', 0],
  ] as const)('by %s that is killed at any call and repeated is made once', async (_id, name, events) => {
    let kills = 0;
    for (let step = 1, isOver = false; !isOver; step += 1) {
      for (const when of ['before', 'after'] as const) {
        const own = await givenMetadataWorld(table, `org_${name}${step}${when}`);
        const crashing = killedAt(table, step, when);
        await own.resources[name].set({ crm: '1' }, { table: crashing.table });
        crashing.table.client.destroy();
        isOver = !crashing.wasKilled();
        if (isOver) break;
        kills += 1;
        expect((await own.resources[name].set({ crm: '1' })).body).toMatchObject({ metadata: { crm: '1' } });
        const announced = (await announcedOf(table, own.orgId)).filter(({ type }) => type === 'member.updated');
        expect(announced).toHaveLength(events);
        expect(await pendingOf(table, own.orgId)).toEqual(expect.arrayContaining(announced.map(({ id }) => id)));
      }
    }
    expect(kills).toBeGreaterThan(4);
  });

  it('of another organisation, or of nothing, is a 404', async () => {
    const other = await givenMetadataWorld(table, 'org_other');
    const sent = { body: { metadata: { crm: '1' } } };
    const ofMember = { membership_member_id: String(other.member.memberId) };
    expect((await world.call('set-member-metadata', { ...sent, params: ofMember })).status).toBe(404);
    expect((await world.call('set-customer-metadata', { ...sent, params: { customer_id: 'C-2' } })).status).toBe(404);
    expect(await other.resources.member.shown()).toEqual({});
  });
});

describe('a page with a storefront token', () => {
  it('sees no metadata in the catalogue', async () => {
    const { call, page, params, resources } = world;
    for (const name of ['event', 'price', 'membership type', 'membership category'] as const) {
      await resources[name].set({ secret_of_club: 'x' });
    }
    const reads = [
      call('retrieve-event', { ...page, params }),
      call('list-events', page),
      call('list-event-prices', { ...page, params }),
      call('list-membership-types', page),
      call('list-membership-categories', page),
    ];
    for (const { status, body } of await Promise.all(reads)) {
      expect({ status, text: JSON.stringify(body) }).toEqual({
        status: 200,
        text: expect.not.stringMatching(/metadata|secret_of_club/),
      });
    }
  });
});
