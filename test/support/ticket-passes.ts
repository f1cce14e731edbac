import { handle as retrieveApple } from '../../functions/api/tickets/retrieve-ticket-apple-pass.ts';
import { handle as retrieveGoogle } from '../../functions/api/tickets/retrieve-ticket-google-pass.ts';
import { FileOutput } from '../../shared/http/file-output.ts';
import { retrieveTicketApplePass } from '../../shared/operations/tickets/retrieve-ticket-apple-pass.ts';
import { retrieveTicketGooglePass } from '../../shared/operations/tickets/retrieve-ticket-google-pass.ts';
import { callHandler, type HandlerCall } from './call-handler.ts';
import type { GivenTickets } from './tickets.ts';

type PassOf = (given: Pick<GivenTickets, 'ticketId'>, call: HandlerCall) => Promise<string>;

const paramsOf = ({ ticketId }: Pick<GivenTickets, 'ticketId'>) => ({ params: { ticket_id: String(ticketId) } });

/** Retrieves the pass of a ticket, as text that contains what the pass says. */
export const ticketPasses: Readonly<Record<'apple' | 'google', PassOf>> = {
  apple: async (given, call) => {
    const { file } = await callHandler(retrieveTicketApplePass, retrieveApple, paramsOf(given), call);
    if (!(file instanceof FileOutput)) throw new Error('The response is not a file.');
    // The files of a pass are not compressed.
    return Buffer.from(file.bytes).toString('latin1');
  },
  google: async (given, call) => {
    const { save_url } = await callHandler(retrieveTicketGooglePass, retrieveGoogle, paramsOf(given), call);
    return Buffer.from(String(save_url).split('.').at(-2) ?? '', 'base64url').toString('utf8');
  },
};
