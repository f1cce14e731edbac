import { describe, expect, it } from 'vitest';
import { passesOfDevice, registerDevice } from '../../../shared/data/wallets/devices.ts';
import { memberSerial, ticketSerial } from '../../../shared/documents/apple-serial.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { givenAdmin } from '../../support/admin.ts';
import { memberDraft } from '../../support/membership-members.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { givenTickets } from '../../support/tickets.ts';

await givenStackSecret();
const nowUnix = 1_800_000_000;
const { table, admin } = await givenAdmin(() => nowUnix * 1000);

describe('customer erase of somebody with passes in Apple Wallet', () => {
  it("ends the registrations of the person's phones, and not those of who holds a ticket now", async () => {
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
    expect(await passesOfDevice(table, 'ada')).toEqual([]);
    expect(await passesOfDevice(table, 'grace')).toEqual([transferred]);
  });
});
