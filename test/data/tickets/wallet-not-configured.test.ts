import '../../support/streaming-runtime.ts';
import { expect, it, vi } from 'vitest';
import { givenStackSecret } from '../../support/stack-secret.ts';
import { createTestTable } from '../../support/table.ts';
import { givenTickets, withLink } from '../../support/tickets.ts';

// The secrets of a new stage have a random text.
await givenStackSecret();
// An instance keeps a secret for a minute, and files share modules.
vi.resetModules();
const { ticketPasses } = await import('../../support/ticket-passes.ts');

it.each(['apple', 'google'] as const)(
  'without an account at %s a ticket has no pass, for any caller',
  async (wallet) => {
    const { table } = await createTestTable();
    const given = await givenTickets(table);
    const link = await withLink(given, (await given.retrieve()).link);
    for (const call of [given.by(), given.by('ada'), link]) {
      await expect(ticketPasses[wallet](given, call)).rejects.toMatchObject({
        ...{ status: 409, code: 'wallet_not_configured', message: expect.stringMatching(new RegExp(wallet, 'i')) },
      });
    }
  },
);
