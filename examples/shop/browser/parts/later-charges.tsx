import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import { SavedCardText } from '../../../site/browser/parts/saved-card.tsx';
import { nowMs } from '../../../site/browser/state/config.ts';
import { day } from '../state/format.ts';
import { laterCharges } from '../state/later-charges.ts';
import { type OwnMembership, renewalConsent, startRenewal, stopRenewal } from '../state/memberships.ts';
import { CardForm } from './card-form.tsx';
import { Choice } from './choice.tsx';

export interface OwnProps {
  readonly own: OwnMembership;
  /** Something was done, and the fan reads what. */
  readonly onChanged: (done: string) => void;
}

/** What is charged later, and to which card. */
export function LaterCharges({ own, onChanged }: OwnProps) {
  const { membership_member_id, expires } = own.membership;
  const memberId = String(membership_member_id);
  const charges = laterCharges(own, nowMs());
  if (charges === undefined) return null;
  const onLastDay = expires === null ? '' : ` on ${day(expires - 1)}`;
  const done = (text: string) => (): void => onChanged(text);
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
          <ActionButton
            class="button quiet"
            act={() => stopRenewal(memberId).then(done('Your membership does not renew itself any more.'))}
          >
            Switch auto-renewal off
          </ActionButton>
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
        <ActionForm
          act={() => startRenewal(memberId).then(done('Your membership renews itself from now on.'))}
          label="Switch auto-renewal on"
          buttonClass="button quiet"
        >
          <p>Your membership does not renew itself. It ends{onLastDay}.</p>
          <Choice name="renewal-consent" required>
            I agree: {renewalConsent}
          </Choice>
        </ActionForm>
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
