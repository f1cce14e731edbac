import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import { SavedCardText } from '../../../site/browser/parts/saved-card.tsx';
import { nowMs } from '../../../site/browser/state/config.ts';
import { day } from '../state/format.ts';
import { laterCharges } from '../state/later-charges.ts';
import { type OwnMembership, renewalConsent, setRenewal } from '../state/memberships.ts';
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
  const canRenew = charges === 'can_renew';
  const needsCard = canRenew && own.card === undefined;
  const renew = async (renews: boolean): Promise<void> => {
    await setRenewal(memberId, renews);
    onChanged(`Your membership ${renews ? 'renews itself from now on' : 'does not renew itself any more'}.`);
  };
  const cardForm = <CardForm what="card" memberId={memberId} label="Save this card" onChanged={onChanged} />;
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
          <ActionButton class="button quiet" act={() => renew(false)}>
            Switch auto-renewal off
          </ActionButton>
        </>
      )}
      {own.card !== undefined && <SavedCardText card={own.card} />}
      {canRenew && (
        <p>
          Your membership does not renew itself. It ends{onLastDay}.
          {needsCard && ' Save a card first if it shall renew itself.'}
        </p>
      )}
      {canRenew && !needsCard && (
        <ActionForm act={() => renew(true)} label="Switch auto-renewal on" buttonClass="button quiet">
          <Choice name="renewal-consent" required>
            I agree: {renewalConsent}
          </Choice>
        </ActionForm>
      )}
      {needsCard ? (
        cardForm
      ) : (
        <details>
          <summary>Use another card</summary>
          {cardForm}
        </details>
      )}
    </section>
  );
}
