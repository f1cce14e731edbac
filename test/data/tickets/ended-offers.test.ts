import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { forgetEndedOffers } from '../../../shared/data/transfers/ended-offers.ts';
import { rowsOfferedTo } from '../../../shared/data/transfers/read.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { type Admin, documentOf, givenAdmin } from '../../support/admin.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { givenTickets } from '../../support/tickets.ts';

await givenStackSecret();
let table: Table;
let admin: Admin;
let nowMs = 0;
beforeAll(async () => {
  ({ table, admin } = await givenAdmin(() => nowMs));
});

const friend = 'friend@trace.example';
const traces = async (orgId: string) =>
  (await itemsLike(table, '')).filter(
    (row) => JSON.stringify(row).includes(orgId) && JSON.stringify(row).includes(friend),
  );
const rowsOf = async (orgId: string) => (await traces(orgId)).filter(({ pk }) => !String(pk).startsWith('FEED#'));

describe('the address of somebody who was offered a ticket', () => {
  it('goes when the offer is cancelled', async () => {
    const given = await givenTickets(table);
    const offered = await given.offer(friend);
    expect(await rowsOf(given.orgId)).toHaveLength(1);
    expect(await given.cancel(offered)).toMatchObject({ status: 'cancelled', email: null });
    expect(await rowsOf(given.orgId)).toEqual([]);
  });

  it('goes when the offer ends and nobody has accepted it; that of an accepted one leads to who has the ticket', async () => {
    const [given, other] = [await givenTickets(table), await givenTickets(table)];
    const endUnix = Number((await given.offer(friend)).expires_at);
    const accepted = await other.offer(friend);
    await other.accept(accepted);
    await forgetEndedOffers(table, endUnix - 1);
    expect(await rowsOf(given.orgId)).toHaveLength(1);
    expect(await forgetEndedOffers(table, endUnix)).toEqual([]);
    expect(await rowsOf(given.orgId)).toEqual([]);
    expect(await rowsOfferedTo(table, given.orgId, friend)).toEqual([]);
    expect(await rowsOfferedTo(table, other.orgId, friend)).toHaveLength(1);
    expect(await itemsLike(table, 'DUE#offer')).toEqual([]);
  });

  it('is found by an erasure by address, with the event that announced it; the offer ends', async () => {
    const given = await givenTickets(table);
    const { transfer_id: transferId } = await given.offer(friend);
    nowMs = given.clock.nowUnix * 1000;
    const exported = await documentOf(admin, 'customer', 'export', given.orgId, friend, '--email');
    expect(exported).toMatchObject({ email_address: friend, transfers: { offered: [{ transfer_id: transferId }] } });
    const erased = await documentOf(admin, 'customer', 'erase', given.orgId, friend, '--email', '--yes');
    expect(erased).toMatchObject({ erased: { transfers: 1, events: 1 } });
    expect(await traces(given.orgId)).toEqual([]);
    expect(await given.transfers()).toMatchObject({ data: [{ status: 'cancelled', email: null }] });
  });
});
