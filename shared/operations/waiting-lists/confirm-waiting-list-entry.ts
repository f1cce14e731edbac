import * as v from 'valibot';
import { eventPath } from '../events/event-path.ts';
import { defineOperation } from '../operation.ts';
import { field } from '../schemas/fields.ts';
import { text } from '../schemas/text.ts';
import { WaitingEntryWithToken } from '../schemas/waiting-entry.ts';
import { leaveLink, waitAccess, waitProblems } from './waiting-operation.ts';

export const confirmWaitingListEntry = defineOperation({
  id: 'confirm-waiting-list-entry',
  resource: 'waiting-lists',
  summary: 'Confirm an entry of a waiting list',
  description: `Puts the person of an \`unconfirmed\` entry at the end of the waiting list. Your server gets the \`confirm_token\` from list-waiting-list and sends it to the
address of the entry, in a link to a page of your shop; the page sends it here. Whoever has it has read that mail. Instead of it, the token of the linked fan whose address it is, in
X-SSO-Token, is enough, and an API key needs neither; otherwise the entry does not exist.

From then on all is as join-waiting-list describes, and \`waiting_list.joined\` follows with \`status\` \`waiting\`. The price must still be sold out. Confirming twice, or
after the entry has ended, changes nothing and returns the entry as it is.`,
  method: 'POST',
  paths: ['/v1/events/{event_id}/waiting_list/{entry_id}/confirm'],
  auth: {
    kind: 'metered',
    scope: 'baskets:write',
    ssoUser: 'optional',
    storefront: { sees: 'the entry whose confirm_token it sends, or that of the signed-in fan' },
  },
  input: {
    params: v.strictObject({ ...eventPath.entries, entry_id: field(v.string(), 'The entry_id of the entry.') }),
    body: v.strictObject({
      confirm_token: v.optional(field(text(200), 'The confirm_token of the entry, with a storefront token.')),
    }),
  },
  output: {
    schema: WaitingEntryWithToken,
    shownOnce: ['entry_token'],
    problems: waitProblems,
    links: [leaveLink],
  },
  effects: {
    access: waitAccess,
    emits: ['waiting_list.joined'],
    cannotBeUndone: false,
  },
  runtime: { concurrency: 30 },
});
