import { useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { Organisation, Withdrawal } from '../../site/browser/resources.ts';
import { day } from '../../site/browser/state/format.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { Action } from './action.tsx';
import { everyPage, officeCall } from './api.ts';
import { LinkToSend } from './link-to-send.tsx';
import { keepIn } from './refund-amount.ts';
import { shopLink } from './shop-link.ts';

const loadWaiting = () =>
  Promise.all(
    ['received', 'unconfirmed'].map((status) => everyPage<Withdrawal>(`/v1/withdrawals?status=${status}&limit=200`)),
  );

/** Withdrawals that wait for a decision, and those whose buyers have not confirmed them. */
export function WithdrawalsPage({ organisation }: { readonly organisation: Organisation }) {
  const [changes, setChanges] = useState(0);
  const loaded = useLoaded(loadWaiting, [changes]);
  const lines = (withdrawals: readonly Withdrawal[]) => (
    <ul class="lines">
      {withdrawals.map((withdrawal) => (
        <Waiting
          key={withdrawal.withdrawal_id}
          withdrawal={withdrawal}
          timeZone={organisation.timezone}
          onDecided={() => setChanges(changes + 1)}
        />
      ))}
    </ul>
  );
  return (
    <Page title="Withdrawals">
      <WhenLoaded of={loaded} what="the withdrawals">
        {([received = [], unconfirmed = []]) => (
          <>
            {received.length === 0 && (
              <Notice title="None waits for you">
                <p>What comes in time from somebody who has not used the membership is accepted by itself.</p>
              </Notice>
            )}
            {lines(received)}
            {unconfirmed.length > 0 && <h2>Not confirmed</h2>}
            {lines(unconfirmed)}
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

interface WaitingProps {
  readonly withdrawal: Withdrawal;
  readonly timeZone: string;
  readonly onDecided: () => void;
}

function Waiting({ withdrawal, timeZone, onDecided }: WaitingProps) {
  const [link, setLink] = useState<string>();
  const [keepText, setKeepText] = useState('0');
  const keep = keepIn(keepText, Number.POSITIVE_INFINITY);
  const [reason, setReason] = useState('');
  const { withdrawal_id: id, order_id, status, received_at, period_ends_at, used } = withdrawal;
  const isLate = period_ends_at !== null && received_at >= period_ends_at;
  const facts = [
    `asked on ${day(received_at, timeZone)}`,
    isLate ? 'too late' : 'in time',
    ...(used === null ? [] : [used ? 'used' : 'not used']),
  ];
  const decide = (body: object, idempotencyKey: string) =>
    officeCall('POST', `/v1/withdrawals/${id}/decision`, { body, idempotencyKey }).then(onDecided);

  async function showLink(): Promise<void> {
    const { confirm_token } = await officeCall<{ confirm_token: string | null }>('GET', `/v1/withdrawals/${id}`);
    setLink(confirm_token === null ? '' : shopLink(`/withdraw/${id}#${confirm_token}`));
  }

  return (
    <li class="line kept">
      <div>
        <strong>
          <Link to={`/office/orders/${order_id}`}>Order {order_id}</Link>
        </strong>
        <span class="hint">{facts.join(' · ')}</span>
        {link === '' && <p>The link has ended after a day. Decide it here.</p>}
        {link !== undefined && link !== '' && (
          <LinkToSend link={link} label="Link to send to the address of the order only." />
        )}
        <div class="stack">
          <p class="field">
            <label for={`keep-${id}`}>Keep of each membership</label>
            <input
              id={`keep-${id}`}
              type="text"
              inputMode="decimal"
              value={keepText}
              aria-describedby={`keep-problem-${id}`}
              aria-invalid={keep === undefined}
              onInput={({ currentTarget }) => setKeepText(currentTarget.value)}
            />
            <span class="field-problem" id={`keep-problem-${id}`} role="alert">
              {keep === undefined && 'Write an amount, such as 2.50.'}
            </span>
          </p>
          <p class="field">
            <label for={`reason-${id}`}>Reason to refuse</label>
            <input
              id={`reason-${id}`}
              type="text"
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </p>
        </div>
      </div>
      <span class="buttons">
        {status === 'unconfirmed' && <Action act={showLink}>Link</Action>}
        <Action
          act={(key) => decide({ decision: 'accept', keep }, key)}
          ask={{
            title: `Accept the withdrawal from order ${order_id}?`,
            isRefused: keep === undefined,
            text: (
              <p>The membership ends at once, and what was paid goes back, less {keepText.trim() || '0'} of each.</p>
            ),
            yes: 'Accept and refund',
          }}
        >
          Accept
        </Action>
        <Action act={(key) => decide({ decision: 'refuse', reason: reason.trim() || null }, key)}>Refuse</Action>
      </span>
    </li>
  );
}
