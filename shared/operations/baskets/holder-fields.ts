import * as v from 'valibot';
import { membersAccess } from '../../data/members/access.ts';
import { maxBasketTickets } from '../../domain/baskets/basket.ts';
import { memberLimits } from '../../domain/members/limits.ts';
import { ssoAccess } from '../../sso/access.ts';
import { field } from '../schemas/fields.ts';
import { Day, emailText, IdOrDigits, nameText } from '../schemas/text.ts';

/** Short enough that a basket with a holder for each ticket stays a small row. */
export const maxHolderName = 100;

const Holder = v.strictObject({
  first_name: v.optional(field(v.nullable(nameText(maxHolderName)), 'Given name of the holder.'), null),
  last_name: v.optional(field(v.nullable(nameText(maxHolderName)), 'Family name of the holder.'), null),
  membership_member_id: v.optional(
    field(
      v.nullable(IdOrDigits),
      'The membership of the holder. With an API key your server vouches for it. With a storefront token it must belong to the linked fan whose token is in X-SSO-Token.',
    ),
    null,
  ),
  email: v.optional(
    field(
      v.nullable(emailText(memberLimits.emailAddress)),
      "Email address of a person who becomes a member; defaults to that of the buyer's customer. Only for memberships.",
    ),
    null,
  ),
  date_of_birth: v.optional(
    field(
      v.nullable(Day),
      'Date of birth of a person who becomes a member, YYYY-MM-DD; not in the future. Only for memberships.',
    ),
    null,
  ),
});

const list = v.pipe(v.array(Holder), v.maxLength(maxBasketTickets));

/** Whom the tickets of a line are for. */
export const Holders = field(
  v.nullable(list),
  "Whom the tickets or the membership are for. For a membership, all of its people, each with first_name and last_name; for one person also nobody: then the buyer becomes the member. For tickets: the first holder has the first ticket, and so on; at most one for each ticket; an empty one ({}, in a form holders[0][first_name]=) leaves a ticket out. The holder's name becomes the ticket_name; a holder with a membership_member_id alone has the name of that member. Null or an empty list: nobody is named.",
);

/** What checks the memberships of holders. */
export const holdersAccess = [membersAccess.readMember, membersAccess.membersOfCustomer, ssoAccess.findSignedInUser];

export type GivenHolders = v.InferOutput<typeof Holders>;
