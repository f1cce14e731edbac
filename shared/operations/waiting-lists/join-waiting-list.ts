import * as v from 'valibot';
import { tableAccess } from '../../data/table/access.ts';
import { waitingListAccess } from '../../data/waiting-list/access.ts';
import { maxBasketTickets } from '../../domain/baskets/basket.ts';
import { memberLimits } from '../../domain/members/limits.ts';
import { salesAccess } from '../../sales/access.ts';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { emailText, IdOrText } from '../schemas/text.ts';
import { JoinedWaitingEntry } from '../schemas/waiting-entry.ts';
import { leaveLink, waitAccess, waitProblems } from './waiting-operation.ts';

export const joinWaitingList = defineOperation({
  id: 'join-waiting-list',
  resource: 'waiting-lists',
  summary: 'Join a waiting list',
  description: `Puts a person at the end of the waiting list for a price that is sold out. From then on its tickets are closed to everyone else: what comes back, by
baskets that are not paid, refunds or a higher capacity, is held for 24 hours for the first who fit, in a basket of their own
(\`waiting_list.offered\`). A group gets all its tickets or none, unless \`accept_less\` is true. Whoever does not fit keeps the place and blocks nobody.

With an API key, or the token of a linked fan whose own address it is, the person waits at once. Everybody can read a storefront token and type any address, so without these the
entry is \`unconfirmed\`: it closes nothing and is offered nothing until confirm-waiting-list-entry. \`waiting_list.joined\` asks your server to send that link, once a day for
an address and a price. The response is then the same for every address, and says neither whether it waits nor for what.

An address is once in the list of a price, whatever its case and \`+tag\`. Repeating the request returns the entry; another \`quantity\` or \`accept_less\` is 409
\`already_waiting\`. Who has left, bought or let an offer pass can join again, at the end. \`entry_token\` lets the person leave. The list ends 24 hours before the sale of the
price does.

Of a price that is sold in phases (create-phase), a person can wait for what the phase that is open sells to that person: with the token of the fan in
\`X-SSO-Token\` where the phase asks for more. An API key without such a token can enter anyone. What is offered later is the person's, whatever phase is open then.`,
  method: 'POST',
  paths: ['/v1/events/{event_id}/waiting_list'],
  auth: {
    kind: 'metered',
    scope: 'baskets:write',
    ssoUser: 'optional',
    storefront: { sees: 'that the person is asked to confirm, or the entry of the signed-in fan', opensBasket: true },
  },
  input: {
    params: eventPath,
    body: v.strictObject({
      price_id: field(IdOrText, 'The price that the person waits for. It must be sold out.'),
      quantity: v.optional(
        field(
          v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxBasketTickets)),
          'How many tickets of the price the person wants.',
        ),
        1,
      ),
      accept_less: v.optional(field(v.boolean(), 'Whether fewer tickets are welcome, too.'), false),
      email: field(emailText(memberLimits.emailAddress), 'Email address of the person.'),
    }),
  },
  output: {
    status: 201,
    schema: JoinedWaitingEntry,
    shownOnce: ['entry_token'],
    problems: ['resource_missing', ...waitProblems, 'phase_not_open', 'not_eligible', 'already_waiting'],
    links: [
      {
        to: 'confirm-waiting-list-entry',
        params: { event_id: '$request.path.event_id', entry_id: '$response.body#/entry_id' },
      },
      leaveLink,
    ],
  },
  effects: {
    access: [...waitAccess, tableAccess.personHash, waitingListAccess.requestPlace, salesAccess.endPaidAndPassedOffers],
    emits: ['waiting_list.joined', 'waiting_list.expired'],
    cannotBeUndone: false,
  },
  runtime: { concurrency: 30 },
});
