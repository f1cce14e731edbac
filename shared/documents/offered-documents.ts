import { appleAccount } from './apple-account.ts';
import { googleAccount } from './google-account.ts';
import { googleSaveUrl, googleTicket } from './google-pass.ts';
import type { TicketFacts } from './ticket-facts.ts';
import type { OfferedDocument } from './ticket-page.ts';
import { writingIn } from './writing.ts';

/**
 * The documents that a page offers of a ticket: the PDF, and the passes of the wallets that are configured. `folder` leads from the
 * page to the ticket.
 */
export async function offeredDocuments(
  facts: TicketFacts,
  { token, nowUnix, folder = '' }: { readonly token: string; readonly nowUnix: number; readonly folder?: string },
): Promise<readonly OfferedDocument[]> {
  if (facts.barcode === null) return [];
  const { text } = writingIn(facts.locale);
  const [apple, google] = await Promise.all([appleAccount(), googleAccount()]);
  return [
    { label: text('downloadPdf'), address: `${folder}pdf?token=${token}` },
    ...(apple ? [{ label: text('addToApple'), address: `${folder}apple_pass?token=${token}` }] : []),
    // The page has no script, so it cannot ask for the address.
    ...(google
      ? [
          {
            label: text('addToGoogle'),
            address: googleSaveUrl(google, googleTicket(google, facts), nowUnix),
          },
        ]
      : []),
  ];
}
