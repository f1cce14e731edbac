import '../../support/streaming-runtime.ts';
import { beforeAll, expect, it, vi } from 'vitest';
import { handle as retrievePdf } from '../../../functions/api/tickets/retrieve-ticket-pdf.ts';
import { FileOutput } from '../../../shared/http/file-output.ts';
import { retrieveTicketPdf } from '../../../shared/operations/tickets/retrieve-ticket-pdf.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { callHandler } from '../../support/call-handler.ts';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { type GivenTickets, givenTickets, withLink } from '../../support/tickets.ts';

// The secrets of a new stage have a random text.
await givenStackSecret();
// An instance keeps a secret for a minute, and files share modules.
vi.resetModules();
const { ticketPasses } = await import('../../support/ticket-passes.ts');
const { memberPasses } = await import('../../support/member-passes.ts');

let given: GivenTickets;
beforeAll(async () => {
  given = await givenTickets((await createTestTable()).table);
});
const callers = async () => [given.by(), given.by('ada'), await withLink(given, (await given.retrieve()).link)];

it.each(['apple', 'google'] as const)(
  'without an account at %s a ticket has no pass, for any caller',
  async (wallet) => {
    for (const call of await callers()) {
      await expect(ticketPasses[wallet](given, call)).rejects.toMatchObject({
        status: 409,
        code: 'wallet_not_configured',
        message: expect.stringMatching(new RegExp(wallet, 'i')),
      });
    }
  },
);

it.each(['apple', 'google'] as const)('without an account at %s a member has no card', async (wallet) => {
  const member = aMember({ barcode: 'CARD1' });
  await givenMembers(given.table, given.orgId, [member]);
  const refused = { status: 409, code: 'wallet_not_configured' };
  await expect(memberPasses[wallet](member, given.by())).rejects.toMatchObject(refused);
});

it('without an account at Apple or Google the PDF of a ticket works, for every caller', async () => {
  const params = { ticket_id: String(given.ticketId) };
  for (const call of await callers()) {
    const { file } = await callHandler(retrieveTicketPdf, retrievePdf, { params }, call);
    expect(file instanceof FileOutput && Buffer.from(file.bytes).toString('latin1')).toMatch(/^%PDF-.*%%EOF\s*$/s);
  }
});
