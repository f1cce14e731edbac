import type { Facts } from '../render.ts';
import { readOrder } from './order-mails.ts';
import { mailTo, type Office, type Plan, type Planned } from './planned.ts';

interface Member {
  readonly first_name: string | null;
  readonly email_address: string | null;
  readonly type_title: string | null;
  readonly member_number: string;
}

interface Instalment {
  readonly payment_plan: { readonly order_id: number; readonly currency: string; readonly outstanding: number };
  readonly instalment: { readonly amount: number; readonly due: number };
}

interface Renewal {
  readonly membership_member_ids: readonly number[];
  readonly status: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly due: number | null;
  readonly expires: number | null;
}

interface Renewed {
  readonly member: { readonly membership_member_id: number };
  readonly term: { readonly price: number; readonly currency: string; readonly until: number | null };
}

/** The page of the shop where a fan signs in, pays an instalment, and saves another card. */
const accountOf = ({ shopUrl }: Office): Facts => ({ link: `${shopUrl}/my-tickets` });

async function mailToMember(
  id: number | undefined,
  kind: string,
  office: Office,
  facts: Facts,
): Promise<readonly Planned[]> {
  const member = id === undefined ? undefined : await office.gateline.find<Member>(`/v1/members/${id}`);
  return mailTo(member?.email_address, kind, {
    name: member?.first_name ?? '',
    membership: member?.type_title ?? '',
    number: member?.member_number ?? '',
    ...accountOf(office),
    ...facts,
  });
}

/** To the buyer, who has given the card. */
const instalmentMail =
  (kind: string): Plan<Instalment> =>
  async ({ data: { payment_plan: plan, instalment } }, office) => {
    const order = await readOrder(office, plan.order_id);
    return mailTo(order?.email_address, kind, {
      name: order?.first_name ?? '',
      amount: office.words.money(instalment.amount, plan.currency),
      due: office.words.day(instalment.due),
      outstanding: office.words.money(plan.outstanding, plan.currency),
      ...accountOf(office),
    });
  };

export const failedMail = instalmentMail('instalment_failed');
export const dueMail = instalmentMail('instalment_due');

export const announcedMail: Plan<{ readonly renewal: Renewal }> = async ({ data: { renewal } }, office) => {
  const [first] = renewal.membership_member_ids;
  const { amount, currency, due, expires, status } = renewal;
  return mailToMember(first, 'renewal_announced', office, {
    announced: status === 'announced',
    not_offered: status === 'not_offered',
    declined: !['announced', 'not_offered'].includes(status),
    amount: amount === null || currency === null ? '' : office.words.money(amount, currency),
    due: due === null ? '' : office.words.day(due),
    expires: expires === null ? '' : office.words.day(expires),
  });
};

export const renewedMail: Plan<Renewed> = ({ data: { member, term } }, office) =>
  mailToMember(member.membership_member_id, 'renewal_done', office, {
    amount: office.words.money(term.price, term.currency),
    until: term.until === null ? '' : office.words.day(term.until),
  });
