import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { kickOffUnix } from '../../../tools/fixtures/events.ts';
import { itemsLike } from '../../../tools/fixtures/orders.ts';
import { announcedOf } from '../../support/feed.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { expectRefused, type GivenTickets, givenTickets, type Offered } from '../../support/tickets.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const week = 7 * 86_400;

const shown = ({ accept_token: _, ...transfer }: Offered) => transfer;

describe('transfer-ticket', () => {
  it('transfer-ticket offers a ticket for seven days, with a token that is stored only as a hash and announced nowhere', async () => {
    const given = await givenTickets(table);
    given.clock.nowUnix = kickOffUnix - 30 * 86_400;
    const { offer, orgId, ticketId, clock, barcode } = given;
    const offered = await offer('grace@example.com', 'ada');
    expect(offered).toEqual({
      transfer_id: `${ticketId}-1`,
      ticket_id: ticketId,
      status: 'offered',
      email: 'grace@example.com',
      created: clock.nowUnix,
      expires_at: clock.nowUnix + week,
      accept_token: expect.stringMatching(/^gl_transfer_[0-9A-Za-z]{43}$/),
    });
    const [event, ...others] = await announcedOf(table, orgId);
    const { accept_token, ...transfer } = offered;
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'ticket.transfer_offered', data: { ticket: { barcode }, transfer } });
    const everything = JSON.stringify(await itemsLike(table, ''));
    expect(everything).not.toContain(accept_token);
    expect(await given.retrieve('ada')).toMatchObject({ barcode, ticket_name: 'Ada Lovelace' });
    expect(await given.transfers()).toMatchObject({ data: [transfer] });
  });

  it('an offer ends when the ticket cannot be given away any more', async () => {
    const { offer, clock } = await givenTickets(table, { price: { transferUntilHours: 3 } });
    clock.nowUnix = kickOffUnix - 86_400;
    expect(await offer('grace@example.com')).toMatchObject({ expires_at: kickOffUnix - 3 * 3_600 });
  });

  it.each<[string, Parameters<typeof givenTickets>[1], (given: GivenTickets) => Promise<unknown>, object]>([
    [
      'of a price that forbids it',
      { price: { transfer: 'none' } },
      ({ offer }) => offer('grace@example.com'),
      { code: 'transfer_not_allowed' },
    ],
    [
      'too late',
      { price: { transferUntilHours: 72 } },
      ({ offer }) => offer('grace@example.com'),
      { code: 'transfer_closed', message: expect.stringContaining('72 hours') },
    ],
    [
      'to the buyer',
      {},
      ({ offer }) => offer('ADA@example.com'),
      { code: 'parameter_invalid', details: [{ param: 'email' }] },
    ],
    ['by another fan', {}, ({ offer }) => offer('grace@example.com', 'grace'), { code: 'resource_not_found' }],
  ])('transfer-ticket is refused %s, and nothing changes', async (_what, changes, call, problem) => {
    const given = await givenTickets(table, changes);
    await expectRefused(given, () => call(given), problem);
  });

  it('a ticket of a price for members is not given away unless the price allows it', async () => {
    const own = { membershipTypeId: 5 };
    const given = await givenTickets(table, { price: own });
    await expectRefused(given, () => given.offer('grace@example.com'), { code: 'transfer_not_allowed' });
    const open = await givenTickets(table, { price: { ...own, transfer: 'anyone' } });
    await open.offer('grace@example.com');
  });

  it('transfer-ticket refuses a scanned ticket, one that is not valid and one that is offered, until the offer is cancelled or expires', async () => {
    const scanned = await givenTickets(table);
    await scanned.scan(scanned.barcode);
    await expectRefused(scanned, () => scanned.offer('grace@example.com'), { code: 'ticket_scanned' });
    const refunded = await givenTickets(table);
    await refunded.refund();
    await expectRefused(refunded, () => refunded.offer('grace@example.com'), { code: 'ticket_not_active' });
    const given = await givenTickets(table);
    given.clock.nowUnix = kickOffUnix - 30 * 86_400;
    const first = await given.offer('grace@example.com');
    await expectRefused(given, () => given.offer('joan@example.com'), { code: 'transfer_pending' });
    await given.cancel(first, 'ada');
    const second = await given.offer('joan@example.com', 'ada');
    given.clock.nowUnix += week;
    const third = await given.offer('mary@example.com');
    expect(await given.transfers('ada')).toMatchObject({
      data: [
        { ...shown(first), email: null, status: 'cancelled' },
        { ...shown(second), email: null, status: 'expired' },
        { ...shown(third), status: 'offered' },
      ],
    });
  });

  it.each(['a', 'a@b\nBcc: all@example.com', `${'a'.repeat(250)}@b.example`])(
    'transfer-ticket refuses the address %j',
    async (email) => {
      const given = await givenTickets(table);
      await expectRefused(given, () => given.offer(email), { issues: [{ path: [{ key: 'email' }] }] });
    },
  );

  it('a ticket is offered five times at most under one barcode', async () => {
    const given = await givenTickets(table);
    for (const number of [1, 2, 3, 4, 5]) await given.cancel(await given.offer(`fan-${number}@example.com`));
    await expectRefused(given, () => given.offer('fan-6@example.com'), { code: 'transfer_not_allowed' });
  });
});
