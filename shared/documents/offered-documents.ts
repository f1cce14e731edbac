import { appleAccount } from './apple-account.ts';
import { googleAccount } from './google-account.ts';
import { googleSaveUrl, googleTicket } from './google-pass.ts';
import type { TicketFacts } from './ticket-facts.ts';
import type { OfferedDocument } from './ticket-page.ts';

/** The documents that the page of a ticket offers: the PDF, and the passes of the wallets that are configured. */
export async function offeredDocuments(
  facts: TicketFacts,
  { token, nowUnix }: { readonly token: string; readonly nowUnix: number },
): Promise<readonly OfferedDocument[]> {
  if (facts.barcode === null) return [];
  const [apple, google] = await Promise.all([appleAccount(), googleAccount()]);
  return [
    { label: 'Download the PDF', address: `pdf?token=${token}` },
    ...(apple ? [{ label: 'Add to Apple Wallet', address: `apple_pass?token=${token}` }] : []),
    // The page has no script, so it cannot ask for the address.
    ...(google
      ? [
          {
            label: 'Add to Google Wallet',
            address: googleSaveUrl(google, googleTicket(google, facts), nowUnix),
          },
        ]
      : []),
  ];
}
