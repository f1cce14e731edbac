import { linkKeyVersionOf } from '../../../shared/data/organisations/organisation.ts';
import { appleAccount } from '../../../shared/documents/apple-account.ts';
import { appleTicket } from '../../../shared/documents/apple-pass.ts';
import { passUpdates, ticketSerial } from '../../../shared/documents/apple-serial.ts';
import { ticketFacts } from '../../../shared/documents/ticket-facts.ts';
import { FileOutput } from '../../../shared/http/file-output.ts';
import { verifyLink } from '../../../shared/http/handlers/callers/linked-ticket.ts';
import { requireDocument } from '../../../shared/http/handlers/from-path/ticket-document.ts';
import { walletNotConfigured } from '../../../shared/http/handlers/problems/wallet-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { livePlatform } from '../../../shared/http/platform.ts';
import { retrieveTicketApplePass } from '../../../shared/operations/tickets/retrieve-ticket-apple-pass.ts';

export const handle: Handle<typeof retrieveTicketApplePass> = async ({ params }, deps) => {
  const [{ ticket, ...shown }, account] = await Promise.all([requireDocument(deps, params.ticket_id), appleAccount()]);
  if (account === undefined) throw walletNotConfigured('Apple');
  const facts = ticketFacts(ticket, shown);
  const updates = await passUpdates(ticketSerial(facts), linkKeyVersionOf(shown.organisation));
  const pass = appleTicket(account, facts, updates);
  return new FileOutput(pass, `ticket-${ticket.ticketId}.pkpass`);
};

export const handler = pipeline(retrieveTicketApplePass, handle, {
  ...livePlatform(retrieveTicketApplePass),
  verifyLink,
});
