import { useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import { QuietButton } from '../../../site/browser/parts/button.tsx';
import { Notice, type Tone } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { Withdrawal } from '../../../site/browser/resources.ts';
import { money } from '../../../site/browser/state/format.ts';
import { retried } from '../../../site/browser/state/request.ts';
import { Field } from '../parts/field.tsx';
import { LinkOfMail } from '../parts/link-of-mail.tsx';
import { call } from '../state/api.ts';
import { day } from '../state/format.ts';
import { profileOfFan, signedIn } from '../state/session.ts';

/**
 * The withdrawal that the law of the EU asks for: reachable from every page, without a login, in two steps. The first collects the statement,
 * the second confirms it.
 */
export function WithdrawPage() {
  const [order, setOrder] = useState('');
  const [email, setEmail] = useState(profileOfFan().email);
  const [isComplete, setComplete] = useState(false);
  const [sent, setSent] = useState<Withdrawal>();

  async function withdraw(): Promise<void> {
    const request = { body: { email }, ...signedIn() };
    const path = `/v1/orders/${encodeURIComponent(order.trim())}/withdrawals`;
    setSent(await retried(() => call<Withdrawal>('POST', path, request)));
  }

  if (sent !== undefined) return <Sent withdrawal={sent} email={email} />;
  if (!isComplete) {
    return (
      <Page
        title="Withdraw from a purchase"
        intro="You can withdraw from a membership that you bought here, within the days that the offer named. No reason is needed."
      >
        <ActionForm class="stack" act={async () => setComplete(true)} label="Continue">
          <Field label="Order number" verbatim value={order} onChange={setOrder} />
          <Field
            label="Email address of the order"
            type="email"
            autoComplete="email"
            value={email}
            onChange={setEmail}
          />
        </ActionForm>
      </Page>
    );
  }
  return (
    <Page title="Confirm your withdrawal">
      <p>
        I withdraw from the purchase with the order number <strong>{order.trim()}</strong>. My email address is{' '}
        <strong>{email}</strong>.
      </p>
      <div class="buttons">
        <ActionButton class="button" act={withdraw}>
          Confirm withdrawal
        </ActionButton>
        <QuietButton onClick={() => setComplete(false)}>Change it</QuietButton>
      </div>
    </Page>
  );
}

/** What became of it. To a guest it is the same for every order and address. */
function Sent({ withdrawal, email }: { readonly withdrawal: Withdrawal; readonly email?: string }) {
  const [tone, title, text] = outcomeOf(withdrawal, email);
  return (
    <Page title={title}>
      <Notice tone={tone} text={`We received it on ${day(withdrawal.received_at)}. ${text}`} />
    </Page>
  );
}

function outcomeOf({ status, amount, currency, reason }: Withdrawal, email = ''): readonly [Tone, string, string] {
  if (status === 'unconfirmed') {
    const text = `If the order and the address belong together, we send a link to ${email}. Open it within a day. The time of your request counts.`;
    return ['good', 'Look into your mail', text];
  }
  if (status === 'accepted' && amount !== null && currency !== null) {
    const text = `The membership has ended, and ${money(amount, currency)} come back to you the way you paid.`;
    return ['good', 'Your withdrawal is accepted', text];
  }
  if (status === 'refused') return ['info', 'Your withdrawal was refused', reason ?? ''];
  return ['info', 'We have your withdrawal', 'Our staff look at it and write to you.'];
}

/** The page of the link in the mail: `/withdraw/wdr_1#token`. */
export function ConfirmWithdrawalPage({ withdrawalId }: { readonly withdrawalId: string }) {
  return (
    <LinkOfMail<Withdrawal>
      title="Is it your withdrawal?"
      intro="Somebody asked to withdraw from a purchase with this address."
      act={(token) => call('POST', `/v1/withdrawals/${withdrawalId}/confirm`, { body: { confirm_token: token } })}
      yes="Yes, withdraw"
      no={{ to: '/', title: 'No' }}
    >
      {(withdrawal) => <Sent withdrawal={withdrawal} />}
    </LinkOfMail>
  );
}
