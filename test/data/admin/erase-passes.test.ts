import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testGoogleAccount } from '../../../local/run/local-wallets.ts';
import { eraseBuyer } from '../../../shared/data/admin/erase-buyer.ts';
import { passDevicePartition } from '../../../shared/data/table/keys.ts';
import { queryAll } from '../../../shared/data/table/query.ts';
import { registerDevice } from '../../../shared/data/wallets/devices.ts';
import { memberSerial, ticketSerial } from '../../../shared/documents/apple-serial.ts';
import { tellGoogle } from '../../../shared/documents/google-changes.ts';
import type { GoogleResource } from '../../../shared/documents/google-pass.ts';
import type { GoogleWallet } from '../../../shared/documents/google-wallet.ts';
import { passesChangedBy } from '../../../shared/documents/push-changes.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { givenAdmin } from '../../support/admin.ts';
import { announcedOf } from '../../support/feed.ts';
import { memberDraft } from '../../support/membership-members.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { givenTickets } from '../../support/tickets.ts';

await givenStackSecret();
const nowUnix = 1_800_000_000;
const { table, admin } = await givenAdmin(() => nowUnix * 1000);

/** When the registrations of a phone end, by the serial number of the pass. */
async function endsOf(deviceId: string): Promise<Record<string, unknown>> {
  const hash = createHash('sha256').update(deviceId).digest('base64url');
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': passDevicePartition(hash) },
  });
  return Object.fromEntries(items.map(({ sk, ttl }) => [String(sk), ttl]));
}

/** What Google is told after the newest event about a ticket. */
async function toldOf(orgId: string, ticketId: number): Promise<readonly GoogleResource[]> {
  const about = (await announcedOf(table, orgId)).filter((event) => event.type === 'ticket.updated');
  const last = about.findLast(({ data }) => data.ticket.ticket_id === ticketId);
  const range = last && passesChangedBy(JSON.stringify(last));
  if (range === undefined) return [];
  const told: GoogleResource[] = [];
  const replace: GoogleWallet['replace'] = async (_kind, resource) => {
    told.push(resource);
    return 'unknown';
  };
  await tellGoogle(table, { account: testGoogleAccount(), wallet: { replace } }, { range, nowUnix });
  return told;
}

describe('customer erase and passes in a wallet', () => {
  it('replaces the name in saved passes: each erased name is a ticket.updated that does not repeat it', async () => {
    const orgId = await givenOrganisation(table, 'org_erasenames');
    const buyer = { orgCustomerId: 'C-1', firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@example.com' };
    const { userId } = await givenCustomer(table, orgId, buyer);
    const given = await givenTickets(table, { orgId, order: { userId } });
    await admin('customer', 'erase', orgId, 'C-1', '--yes', '--local', '--json');
    const events = (await announcedOf(table, orgId)).filter(({ type }) => type === 'ticket.updated');
    expect(events).toMatchObject([
      {
        data: {
          ticket: { ticket_id: given.ticketId, ticket_name: null, barcode: given.barcode },
          changed: ['ticket_name'],
          previous: { ticket_name: null },
        },
      },
    ]);
    const [pass, ...others] = await toldOf(orgId, given.ticketId);
    expect(others).toEqual([]);
    expect(pass).toMatchObject({ state: 'ACTIVE', barcode: { value: given.barcode } });
    expect(JSON.stringify(pass)).not.toContain('Ada');
    await admin('customer', 'erase', orgId, 'C-1', '--yes', '--local', '--json');
    expect((await announcedOf(table, orgId)).filter(({ type }) => type === 'ticket.updated')).toHaveLength(1);
  });

  it('replaces the name of somebody who was given a ticket, by the address alone', async () => {
    const orgId = await givenOrganisation(table, 'org_erasegiven');
    const given = await givenTickets(table, { orgId, price: { transfer: 'anyone' } });
    await given.accept(await given.offer('grace@example.com'));
    await admin('customer', 'erase', orgId, 'grace@example.com', '--email', '--yes', '--local', '--json');
    const told = await toldOf(orgId, given.ticketId);
    expect(told.map(({ state }) => state)).toEqual(['INACTIVE', 'ACTIVE']);
    expect(JSON.stringify(told)).not.toContain('Grace');
  });

  it('a name that is written while the person is erased is announced with its erasure too', async () => {
    const orgId = await givenOrganisation(table, 'org_erasemeanwhile');
    const given = await givenTickets(table, { orgId });
    const { orderId } = given.placed;
    const announced: string[] = [];
    await eraseBuyer(table, { orgId, orderId, nowUnix }, ({ before, after }) => {
      announced.push(`${before.ticketName} ${after.ticketName}`);
      return [];
    });
    expect(announced).toEqual(['Ada Lovelace null']);
  });

  it("lets the registrations of the person's phones end after a week in which they fetch the pass, and not those of who holds a ticket now", async () => {
    const orgId = 'org_erasepasses';
    const buyer = { orgCustomerId: 'C-1', firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@example.com' };
    const { userId } = await givenCustomer(table, orgId, buyer);
    const given = await givenTickets(table, { orgId, order: { userId } });
    const { member } = await savedMember(table, orgId, memberDraft('1', { userId }), nowUnix);
    const { eventId } = given.event;
    const register = (deviceId: string, shows: { eventId: number | null; id: number }, serialNumber: string) =>
      registerDevice(table, { deviceId, serialNumber, shows: { orgId, ...shows }, pushToken: deviceId, nowUnix });
    const [first, second] = [given.ticketId, given.ticketId + 1];
    await register('ada', { eventId, id: first }, ticketSerial({ orgId, ticketId: first, transfers: 0 }));
    await register('ada', { eventId, id: second }, ticketSerial({ orgId, ticketId: second, transfers: 0 }));
    await register(
      'ada',
      { eventId: null, id: member.memberId },
      memberSerial({ orgId, memberId: member.memberId, cardVersion: 0 }),
    );
    await given.accept(await given.offer('grace@example.com'));
    const transferred = ticketSerial({ orgId, ticketId: first, transfers: 1 });
    await register('grace', { eventId, id: first }, transferred);

    const { stdout: exported } = await admin('customer', 'export', orgId, 'C-1', '--local', '--json');
    expect(JSON.parse(exported).wallet_passes).toHaveLength(3);
    const { stdout } = await admin('customer', 'erase', orgId, 'C-1', '--yes', '--local', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ erased: { wallet_passes: 3 } });
    const week = nowUnix + 7 * 86_400;
    expect(Object.values(await endsOf('ada'))).toEqual([week, week, week]);
    expect(await endsOf('grace')).toEqual({ [transferred]: nowUnix + 400 * 86_400 });
    const { stdout: repeated } = await admin('customer', 'erase', orgId, 'C-1', '--yes', '--local', '--json');
    expect(JSON.parse(repeated)).toMatchObject({ changed: false });
  });
});
