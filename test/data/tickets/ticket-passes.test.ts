import '../../support/streaming-runtime.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { testAppleAccount, testGoogleAccount } from '../../../local/run/local-wallets.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { givenTickets, withLink } from '../../support/tickets.ts';

await givenStackSecret({ apple: testAppleAccount(), google: testGoogleAccount() });
// An instance keeps a secret for a minute, and files share modules.
vi.resetModules();
const { ticketPasses } = await import('../../support/ticket-passes.ts');

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe.each(['apple', 'google'] as const)('the %s pass of a ticket', (wallet) => {
  const passOf = ticketPasses[wallet];

  it('has its barcode for a key, for the fan who holds it, and for its link', async () => {
    const given = await givenTickets(table);
    const link = await withLink(given, (await given.retrieve()).link);
    for (const call of [given.by(), given.by('ada'), link]) expect(await passOf(given, call)).toContain(given.barcode);
    const other = given.placed.tickets[1]?.barcode ?? '';
    expect(await passOf(given, given.by())).not.toContain(other);
  });

  it('is not for another fan, and a link reaches no other ticket of the order', async () => {
    const given = await givenTickets(table);
    const link = await withLink(given, (await given.retrieve()).link);
    await expect(passOf(given, given.by('grace'))).rejects.toMatchObject({ code: 'resource_not_found' });
    const other = { ...given, ticketId: given.ticketId + 1 };
    await expect(passOf(other, link)).rejects.toMatchObject({ code: 'resource_not_found' });
    expect(await passOf(other, given.by('ada'))).toContain(given.placed.tickets[1]?.barcode);
  });

  it('waits for the time of the barcode for fans and links; an API key gets it at any time', async () => {
    const given = await givenTickets(table, { price: { barcodeFromHours: 24 } });
    const link = await withLink(given, (await given.retrieve()).link);
    expect(await passOf(given, given.by())).toContain(given.placed.tickets[0]?.barcode);
    for (const call of [given.by('ada'), link]) {
      await expect(passOf(given, call)).rejects.toMatchObject({ status: 409, code: 'barcode_not_yet' });
    }
  });

  it('is none of a refunded ticket, and the link has ended', async () => {
    const given = await givenTickets(table);
    const link = await withLink(given, (await given.retrieve()).link);
    await given.refund();
    for (const call of [given.by(), given.by('ada')]) {
      await expect(passOf(given, call)).rejects.toMatchObject({ status: 409, code: 'ticket_not_active' });
    }
    await expect(passOf(given, link)).rejects.toMatchObject({ code: 'link_invalid' });
  });
});
