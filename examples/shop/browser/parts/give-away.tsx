import { useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import { WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import type { List } from '../../../site/browser/resources.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import type { Transfer } from '../resources.ts';
import { call } from '../state/api.ts';
import { acceptAddress, forgetOffer, keepOffer } from '../state/offers.ts';
import { signedIn } from '../state/session.ts';
import { Field } from './field.tsx';
import { SharedLink } from './shared-link.tsx';

/** Offers a ticket to a friend, or shows the offer that is open. A real shop would send the link by mail; the demo shows it. */
export function GiveAway({ ticketId }: { readonly ticketId: number }) {
  const [changes, setChanges] = useState(0);
  const path = `/v1/tickets/${ticketId}/transfers`;
  const loaded = useLoaded(() => call<List<Transfer>>('GET', path, signedIn()), [path, changes]);

  const offer = async (email: string): Promise<void> => {
    const offered = await call<Transfer & { accept_token: string }>('POST', path, { body: { email }, ...signedIn() });
    keepOffer(offered.transfer_id, offered.accept_token);
    setChanges(changes + 1);
  };
  const withdraw = async ({ transfer_id }: Transfer): Promise<void> => {
    await call('POST', `/v1/transfers/${transfer_id}/cancel`, signedIn());
    forgetOffer(transfer_id);
    setChanges(changes + 1);
  };

  return (
    <WhenLoaded of={loaded} what="your offers">
      {({ data }) => {
        const pending = data.find(({ status }) => status === 'offered');
        if (pending === undefined) return <OfferForm onOffer={offer} />;
        return <Pending offer={pending} onWithdraw={() => withdraw(pending)} />;
      }}
    </WhenLoaded>
  );
}

function Pending({ offer, onWithdraw }: { readonly offer: Transfer; readonly onWithdraw: () => Promise<void> }) {
  const address = acceptAddress(offer.transfer_id);
  return (
    <div>
      <p>Offered to {offer.email}. The ticket stays yours until it is accepted.</p>
      {address === undefined ? (
        <p>The link is in the browser in which you offered it. Without it, take the ticket back and offer it again.</p>
      ) : (
        <SharedLink address={address} label={`The ticket for ${offer.email}`} />
      )}
      <ActionButton act={onWithdraw}>Take it back</ActionButton>
    </div>
  );
}

function OfferForm({ onOffer }: { readonly onOffer: (email: string) => Promise<void> }) {
  const [email, setEmail] = useState('');
  return (
    <details>
      <summary>Give to a friend</summary>
      <ActionForm class="stack" label="Offer the ticket" buttonClass="button small" act={() => onOffer(email)}>
        <Field label="Email address of your friend" type="email" value={email} onChange={setEmail} />
      </ActionForm>
    </details>
  );
}
