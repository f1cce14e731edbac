import { SavedCardText } from '../../../site/browser/parts/saved-card.tsx';
import { nowMs } from '../../../site/browser/state/config.ts';
import { day } from '../../../site/browser/state/format.ts';
import { messageOf } from '../../../site/browser/state/messages.ts';
import { laterCharges } from '../state/later-charges.ts';
import { type OwnMembership, renewalConsent, startRenewal, stopRenewal } from '../state/memberships.ts';
import { CardForm, type Message } from './card-form.tsx';

interface LaterChargesProps {
  readonly own: OwnMembership;
  readonly timezone: string;
  readonly onChanged: (message: Message) => void;
}

/** What is charged later, and to which card. */
export function LaterCharges({ own, timezone, onChanged }: LaterChargesProps) {
  const { membership_member_id, expires } = own.membership;
  const memberId = String(membership_member_id);
  const charges = laterCharges(own, nowMs());
  if (charges === undefined) return null;
  const onLastDay = expires === null ? '' : ` on ${day(expires - 1, timezone)}`;
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
      {(charges === 'renews' || charges === 'renewal_late') && (
        <>
          {charges === 'renews' ? (
            <p>Your membership renews itself{onLastDay}. We tell you the amount 30 and 7 days before.</p>
          ) : (
            <p>
              Your membership ended{onLastDay}, and its renewal is not paid yet. If your card was declined, save another
              one.
            </p>
          )}
          <button type="button" class="button quiet" onClick={stop}>
            Switch auto-renewal off
          </button>
        </>
      )}
      {own.card !== undefined && <SavedCardText card={own.card} />}
      {charges === 'can_renew' && own.card === undefined && (
        <>
          <p>Your membership does not renew itself. It ends{onLastDay}. Save a card first if it shall renew itself.</p>
          <CardForm what="card" memberId={memberId} label="Save this card" onChanged={onChanged} />
        </>
      )}
      {charges === 'can_renew' && own.card !== undefined && (
        <form onSubmit={start}>
          <p>Your membership does not renew itself. It ends{onLastDay}.</p>
          <label class="choice">
            <input type="checkbox" name="renewal-consent" required />
            <span>I agree: {renewalConsent}</span>
          </label>
          <button type="submit" class="button quiet">
            Switch auto-renewal on
          </button>
        </form>
      )}
      {(charges !== 'can_renew' || own.card !== undefined) && (
        <details>
          <summary>Use another card</summary>
          <CardForm what="card" memberId={memberId} label="Save this card" onChanged={onChanged} />
        </details>
      )}
    </section>
  );
}
