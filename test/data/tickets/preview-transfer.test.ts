import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/tickets/preview-transfer.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { previewTransfer } from '../../../shared/operations/tickets/preview-transfer.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { expectRefused, type GivenTickets, givenTickets, type Offered } from '../../support/tickets.ts';

await givenStackSecret();

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** What a page without a fan sees of an offer. */
const preview = (given: GivenTickets, { transfer_id, accept_token }: Pick<Offered, 'transfer_id' | 'accept_token'>) =>
  callHandler(
    previewTransfer,
    handle,
    { params: { transfer_id }, body: { accept_token } },
    { ...given.by(), kind: 'storefront' },
  );

const notFound = { code: 'resource_not_found', status: 404 };

describe('preview-transfer', () => {
  it('preview-transfer shows the event, the place and who gives the ticket, and no code or address', async () => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com', 'ada');
    const shown = await preview(given, offered);
    expect(shown).toMatchObject({
      transfer_id: offered.transfer_id,
      giver_first_name: 'Ada',
      event_title: given.event.title,
      price_category_title: given.placed.tickets[0]?.categoryTitle,
      price_title: given.placed.tickets[0]?.priceTitle,
    });
    const text = JSON.stringify(shown);
    for (const secret of [given.barcode, 'example.com', 'Lovelace']) expect(text).not.toContain(secret);
  });

  it('preview-transfer names who accepted the ticket before, when that person gives it on', async () => {
    const given = await givenTickets(table);
    await given.accept(await given.offer('grace@example.com', 'ada'), { fan: 'grace' });
    const offered = await given.offer('joan@example.com', 'grace');
    expect(await preview(given, offered)).toMatchObject({ giver_first_name: 'Grace' });
  });

  it('preview-transfer with a wrong token, or for another transfer, finds nothing', async () => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com', 'ada');
    const wrong = { ...offered, accept_token: `${offered.accept_token.slice(0, -1)}_` };
    await expectRefused(given, () => preview(given, wrong), notFound);
    await expectRefused(given, () => preview(given, { ...offered, transfer_id: `${given.ticketId}-2` }), notFound);
    await expectRefused(given, () => preview(given, { ...offered, transfer_id: 'x' }), notFound);
    const other = await givenTickets(table);
    await expectRefused(other, () => preview(other, offered), notFound);
  });

  it('preview-transfer of an offer that has ended says so, also to who accepted it', async () => {
    const given = await givenTickets(table);
    const taken = await given.offer('grace@example.com', 'ada');
    await given.cancel(taken, 'ada');
    await expectRefused(given, () => preview(given, taken), { code: 'transfer_not_open' });
    const accepted = await given.offer('grace@example.com', 'ada');
    await given.accept(accepted);
    await expectRefused(given, () => preview(given, accepted), { code: 'transfer_not_open' });
  });

  it('preview-transfer changes nothing', async () => {
    const given = await givenTickets(table);
    const offered = await given.offer('grace@example.com', 'ada');
    await preview(given, offered);
    expect(await given.accept(offered)).toMatchObject({ ticket_name: 'Grace Hopper' });
  });
});
