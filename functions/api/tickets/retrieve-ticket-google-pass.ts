import { googleAccount } from '../../../shared/documents/google-account.ts';
import { googleSaveUrl, googleTicket } from '../../../shared/documents/google-pass.ts';
import { ticketFacts } from '../../../shared/documents/ticket-facts.ts';
import { verifyLink } from '../../../shared/http/handlers/callers/linked-ticket.ts';
import { requireDocument } from '../../../shared/http/handlers/from-path/ticket-document.ts';
import { walletNotConfigured } from '../../../shared/http/handlers/problems/wallet-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { livePlatform } from '../../../shared/http/platform.ts';
import { retrieveTicketGooglePass } from '../../../shared/operations/tickets/retrieve-ticket-google-pass.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof retrieveTicketGooglePass> = async ({ params }, deps) => {
  const [{ ticket, ...shown }, account] = await Promise.all([requireDocument(deps, params.ticket_id), googleAccount()]);
  if (account === undefined) throw walletNotConfigured('Google');
  return {
    save_url: googleSaveUrl(account, googleTicket(account, ticketFacts(ticket, shown)), unixSeconds(deps.clock)),
  };
};

export const handler = pipeline(retrieveTicketGooglePass, handle, {
  ...livePlatform(retrieveTicketGooglePass),
  verifyLink,
});
