import { nowMs } from '../state/config.ts';
import { day } from '../state/format.ts';
import { type OwnMembership, renewalConsent, startRenewal, stopRenewal } from '../state/memberships.ts';
import { messageOf } from '../state/messages.ts';
import { CardForm, type Message } from './card-form.tsx';

interface LaterChargesProps {
  readonly own: OwnMembership;
  readonly timezone: string;
  readonly onChanged: (message: Message) => void;
}

const cancelled = 3;

/** What is charged later, and to which card. */
export function LaterCharges({ own: { membership }, timezone, onChanged }: LaterChargesProps) {
  const { membership_member_id, membership_member_status_id: status, auto_renew, expires } = membership;
  const memberId = String(membership_member_id);
  if (status === cancelled || expires === null || expires * 1000 <= nowMs()) return null;
  const lastDay = day(expires - 1, timezone);
  function refuse(error: unknown): void {
    onChanged({ tone: 'bad', text: messageOf(error) });
  }
  function start(submitted: SubmitEvent): void {
    submitted.preventDefault();
    startRenewal(memberId).then(
      () => onChanged({ tone: 'good', text: 'Your membership renews itself from now on.' }),
      refuse,
    );
  }
  function stop(): void {
    stopRenewal(memberId).then(
      () => onChanged({ tone: 'good', text: 'Your membership does not renew itself any more.' }),
      refuse,
    );
  }
  return (
    <section class="card" aria-labelledby="later">
      <h2 id="later">Later charges</h2>
      {auto_renew === 1 ? (
        <>
          <p>Your membership renews itself on {lastDay}. We tell you the amount 30 and 7 days before.</p>
          <button type="button" class="button quiet" onClick={stop}>
            Switch auto-renewal off
          </button>
        </>
      ) : (
        <form onSubmit={start}>
          <p>Your membership does not renew itself. It ends on {lastDay}.</p>
          <label class="choice">
            <input type="checkbox" name="renewal-consent" required />
            <span>I agree: {renewalConsent}</span>
          </label>
          <button type="submit" class="button quiet">
            Switch auto-renewal on
          </button>
        </form>
      )}
      <details>
        <summary>Use another card</summary>
        <CardForm what="card" memberId={memberId} label="Save this card" onChanged={onChanged} />
      </details>
    </section>
  );
}
