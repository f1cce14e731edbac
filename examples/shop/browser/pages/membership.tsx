import { useEffect, useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { ButtonLink } from '../../../site/browser/parts/link.tsx';
import { Notice, type Tone, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { nowMs } from '../../../site/browser/state/config.ts';
import { money } from '../../../site/browser/state/format.ts';
import { messageOf } from '../../../site/browser/state/messages.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { doneTexts } from '../parts/card-form.tsx';
import { LaterCharges, type OwnProps } from '../parts/later-charges.tsx';
import { Card } from '../parts/membership.tsx';
import { NextTerm } from '../parts/next-term.tsx';
import { Plan } from '../parts/payment-plan.tsx';
import { signInFirst } from '../parts/sign-in-first.tsx';
import { cancelledMember, type MemberTerm } from '../resources.ts';
import { day } from '../state/format.ts';
import { act, cancelAtEnd, ownMembership } from '../state/memberships.ts';
import { session } from '../state/session.ts';

/** A membership of the signed-in fan: the card, what was bought, what is paid and owed, how to stay and how to leave. */
export const MembershipPage = signInFirst('My membership', 'Sign in to see your membership.', Membership);

function Membership({ memberId }: { readonly memberId: string }) {
  const [changes, setChanges] = useState(0);
  const [message, setMessage] = useState<{ readonly text: string; readonly tone: Tone }>();
  const loaded = useLoaded(() => ownMembership(memberId), [memberId, changes]);
  const changed = (text: string, tone: Tone = 'good'): void => {
    setMessage({ text, tone });
    setChanges((count) => count + 1);
  };
  useEffect(() => void finish(memberId, changed), [memberId]);
  return (
    <Page title="My membership">
      {message !== undefined && <Notice tone={message.tone} text={message.text} />}
      <WhenLoaded of={loaded} what="your membership">
        {(own) =>
          own === undefined ? (
            <Notice title="This is not a membership of yours">
              <ButtonLink to="/my-tickets">My tickets</ButtonLink>
            </Notice>
          ) : (
            <>
              <div class="ticket own-card">
                <Card membership={own.membership} />
              </div>
              {own.plan !== undefined && <Plan plan={own.plan} memberId={memberId} onChanged={changed} />}
              <Terms terms={own.terms} />
              <NextTerm own={own} />
              <LaterCharges own={own} onChanged={changed} />
              <Leave own={own} onChanged={changed} />
            </>
          )
        }
      </WhenLoaded>
    </Page>
  );
}

/** The fan comes back from the page of the bank: the service asks the provider how it went. */
async function finish(memberId: string, show: (text: string, tone?: Tone) => void): Promise<void> {
  const { begun } = session();
  if (begun?.memberId !== memberId) return;
  try {
    const next = await act(begun);
    if (next === undefined) show(doneTexts[begun.what]);
    else show('Your bank has not approved it.', 'bad');
  } catch (error) {
    show(messageOf(error), 'bad');
  }
}

const states = { active: '', replaced: 'changed', cancelled: 'cancelled', refunded: 'refunded' } as const;

function Terms({ terms }: { readonly terms: readonly MemberTerm[] }) {
  if (terms.length === 0) return null;
  return (
    <section class="card" aria-labelledby="terms">
      <h2 id="terms">What you bought</h2>
      <ol class="instalments">
        {terms.map(({ term_id, from, until, price, currency, state }) => (
          <li key={term_id}>
            <span>
              {day(from)} {until === null ? 'for life' : `to ${day(until - 1)}`}
              {state !== 'active' && <span class="tag">{states[state]}</span>}
            </span>{' '}
            <span class="amount">{money(price, currency)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The membership ends with its term. The fan confirms it first. */
function Leave({ own: { membership }, onChanged }: OwnProps) {
  const { membership_member_id, membership_member_status_id: status, cancelled_at, expires } = membership;
  if (status === cancelledMember || (expires !== null && expires * 1000 <= nowMs())) return null;
  const end = expires === null ? '' : ` on ${day(expires - 1)}`;
  if (cancelled_at !== null) {
    return <Notice title="You have cancelled this membership" text={`It ends${end}. Until then nothing changes.`} />;
  }
  const leave = async (): Promise<void> => {
    await cancelAtEnd(String(membership_member_id));
    onChanged('Your membership is cancelled for its end.');
  };
  const text = `Your membership and that of everybody you bought it with ends${end} and is not renewed. What is still to be paid stays due.`;
  return (
    <section class="card" aria-labelledby="leave">
      <h2 id="leave">Leave</h2>
      <p>{text}</p>
      <ActionButton class="button quiet" act={leave} ask={{ title: 'Leave', text, yes: 'Yes, cancel at the end' }}>
        Cancel at the end
      </ActionButton>
    </section>
  );
}
