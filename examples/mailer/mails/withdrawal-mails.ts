import { membershipFacts, readOrder } from './order-mails.ts';
import { mailTo, type Office, type Plan } from './planned.ts';

interface Withdrawal {
  readonly withdrawal_id: string;
  readonly order_id: number | string;
  readonly membership_member_ids: readonly number[];
  readonly status: 'unconfirmed' | 'received' | 'accepted' | 'refused';
  readonly received_at: number;
  readonly amount: number | null;
  readonly reason?: string | null;
  readonly confirm_token?: string | null;
}

const withdrawalMail =
  (
    kind: string,
    is: (withdrawal: Withdrawal) => boolean,
  ): Plan<{ readonly withdrawal: Pick<Withdrawal, 'withdrawal_id'> }> =>
  async ({ data }, office) => {
    const path = `/v1/withdrawals/${data.withdrawal.withdrawal_id}`;
    const now = await office.gateline.find<Withdrawal>(path);
    const order = now && (await readOrder(office, now.order_id));
    if (now === undefined || order === undefined || !is(now)) return [];
    return mailTo(order.email_address, kind, {
      name: order.first_name ?? '',
      order: String(order.order_id),
      memberships: order.memberships
        .filter(({ membership_member_id }) => now.membership_member_ids.includes(membership_member_id))
        .map((one) => membershipFacts(one, office)),
      received: office.words.time(now.received_at),
      accepted: now.status === 'accepted',
      amount: now.amount ? office.words.money(now.amount, order.currency) : false,
      reason: now.reason ?? false,
      link: linkOf(now, office),
    });
  };

const linkOf = ({ withdrawal_id, confirm_token }: Withdrawal, { shopUrl }: Office): string =>
  `${shopUrl}/withdraw/${withdrawal_id}#${confirm_token ?? ''}`;

export const requestedMail = withdrawalMail(
  'withdrawal_confirm',
  ({ status, confirm_token }) => status === 'unconfirmed' && !!confirm_token,
);
/** Also when it was decided meanwhile: the law asks for a confirmation that it was received. */
export const receivedMail = withdrawalMail('withdrawal_received', ({ status }) => status !== 'unconfirmed');
export const decidedMail = withdrawalMail('withdrawal_decided', ({ status }) =>
  ['accepted', 'refused'].includes(status),
);
