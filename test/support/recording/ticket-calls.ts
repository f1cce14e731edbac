import type { CallContext, MakeInput } from './call-input.ts';

/** The second ticket of the recorded checkout. The first one is scanned. */
const ticket = ({ of }: CallContext) => {
  const { tickets } = of('check-out-basket');
  return { ticket_id: String(Array.isArray(tickets) ? tickets[1]?.ticket_id : undefined) };
};
const name = { first_name: 'Grace', last_name: 'Hopper' };
const offer = { email: 'grace@example.com' };

/** What the holder of a ticket does with it. */
export const ticketCalls: Readonly<Record<string, MakeInput>> = {
  'retrieve-ticket': (context) => ({ params: ticket(context) }),
  'retrieve-ticket-pdf': (context) => ({ params: ticket(context) }),
  'retrieve-ticket-apple-pass': (context) => ({ params: ticket(context) }),
  'retrieve-ticket-google-pass': (context) => ({ params: ticket(context) }),
  'update-ticket': (context) => ({ params: ticket(context), body: { holder: name } }),
  'transfer-ticket': (context) => ({ params: ticket(context), body: offer }),
  'list-transfers': (context) => ({ params: ticket(context) }),
  'preview-transfer': ({ of }) => {
    const { transfer_id, accept_token } = of('transfer-ticket');
    return { params: { transfer_id: String(transfer_id) }, body: { accept_token } };
  },
  'accept-transfer': ({ of }) => {
    const { transfer_id, accept_token } = of('transfer-ticket');
    return { params: { transfer_id: String(transfer_id) }, body: { accept_token, ...name } };
  },
  'cancel-transfer': async (context) => {
    const { transfer_id } = await context.send('transfer-ticket', { params: ticket(context), body: offer });
    return { params: { transfer_id: String(transfer_id) } };
  },
};
