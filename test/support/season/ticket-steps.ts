import { handle as accept } from '../../../functions/api/tickets/accept-transfer.ts';
import { handle as offer } from '../../../functions/api/tickets/transfer-ticket.ts';
import { handle as joinList } from '../../../functions/api/waiting-lists/join-waiting-list.ts';
import { handle as leaveList } from '../../../functions/api/waiting-lists/leave-waiting-list.ts';
import { readOrderWithTickets } from '../../../shared/data/orders/read.ts';
import { acceptTransfer } from '../../../shared/operations/tickets/accept-transfer.ts';
import { transferTicket } from '../../../shared/operations/tickets/transfer-ticket.ts';
import { joinWaitingList } from '../../../shared/operations/waiting-lists/join-waiting-list.ts';
import { leaveWaitingList } from '../../../shared/operations/waiting-lists/leave-waiting-list.ts';
import { newest } from './member-steps.ts';
import { call, nothing, outcomeOf, type Scene, type Steps } from './scene.ts';

async function offerTicket(scene: Scene): Promise<string> {
  const { club, outside, choose } = scene;
  const orderId = choose(club.orders.slice(-newest));
  const placed = orderId === undefined ? undefined : await readOrderWithTickets(outside, club.orgId, orderId);
  const ticket = choose(placed?.tickets ?? []);
  if (ticket === undefined) return nothing;
  const input = { params: { ticket_id: String(ticket.ticketId) }, body: { email: 'friend@example.com' } };
  const answer = await call(scene, transferTicket, offer, input);
  if (typeof answer !== 'string') {
    club.offers.push({ transferId: String(answer.transfer_id), acceptToken: String(answer.accept_token) });
  }
  return outcomeOf(answer);
}

async function acceptTicket(scene: Scene): Promise<string> {
  const offered = scene.choose(scene.club.offers);
  if (offered === undefined) return nothing;
  const params = { transfer_id: offered.transferId };
  const body = { accept_token: offered.acceptToken, first_name: 'Grace', last_name: 'Hopper' };
  return outcomeOf(await call(scene, acceptTransfer, accept, { params, body }));
}

async function joinOne(scene: Scene): Promise<string> {
  const { club, choose } = scene;
  const price = choose(club.prices);
  const person = choose(club.people);
  if (price === undefined || person === undefined) return nothing;
  const params = { event_id: String(price.eventId) };
  const body = { price_id: price.priceId, email: person.emailAddress, quantity: choose([1, 2]) };
  const answer = await call(scene, joinWaitingList, joinList, { params, body });
  if (typeof answer !== 'string') {
    club.waiting.push({ event_id: String(answer.event_id), entry_id: String(answer.entry_id) });
  }
  return outcomeOf(answer);
}

/** Tickets that are given away, and people who wait for some. */
export const ticketSteps: Steps = {
  'offer a ticket to a friend': { weight: 2, run: offerTicket },
  'accept an offered ticket': { weight: 2, run: acceptTicket },
  'join a waiting list': { weight: 3, run: joinOne },
  'leave a waiting list': {
    weight: 1,
    run: async (scene) => {
      const params = scene.choose(scene.club.waiting);
      return params === undefined ? nothing : outcomeOf(await call(scene, leaveWaitingList, leaveList, { params }));
    },
  },
};
