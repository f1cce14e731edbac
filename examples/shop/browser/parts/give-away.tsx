import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import type { List } from '../../../site/browser/resources.ts';
import { messageOf } from '../../../site/browser/state/messages.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import type { Transfer } from '../resources.ts';
import { call } from '../state/api.ts';
import { acceptAddress, forgetOffer, keepOffer } from '../state/offers.ts';
import { Field } from './field.tsx';
import { SharedLink } from './shared-link.tsx';

interface GiveAwayProps {
  readonly ticketId: number;
  readonly ssoToken: string;
}

/** Offers a ticket to a friend, or shows the offer that is open. A real shop would send the link by mail; the demo shows it. */
export function GiveAway({ ticketId, ssoToken }: GiveAwayProps) {
  const [changes, setChanges] = useState(0);
  const [problem, setProblem] = useState<string>();
  const path = `/v1/tickets/${ticketId}/transfers`;
  const loaded = useLoaded(() => call<List<Transfer>>('GET', path, { ssoToken }), [path, changes]);

  const change = (make: () => Promise<void>): void => {
    setProblem(undefined);
    make().then(
      () => setChanges(changes + 1),
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  const offer = (email: string): void =>
    change(async () => {
      keepOffer(await call<Transfer & { accept_token: string }>('POST', path, { body: { email }, ssoToken }));
    });
  const withdraw = ({ transfer_id }: Transfer): void =>
    change(async () => {
      await call('POST', `/v1/transfers/${transfer_id}/cancel`, { ssoToken });
      forgetOffer(transfer_id);
    });

  return (
    <WhenLoaded of={loaded} what="your offers">
      {({ data }) => {
        const pending = data.find(({ status }) => status === 'offered');
        return (
          <>
            {pending === undefined ? (
              <OfferForm onOffer={offer} />
            ) : (
              <Pending offer={pending} onWithdraw={() => withdraw(pending)} />
            )}
            {problem !== undefined && <p role="alert">{problem}</p>}
          </>
        );
      }}
    </WhenLoaded>
  );
}

function Pending({ offer, onWithdraw }: { readonly offer: Transfer; readonly onWithdraw: () => void }) {
  const address = acceptAddress(offer.transfer_id);
  return (
    <div>
      <p>Offered to {offer.email}. The ticket stays yours until it is accepted.</p>
      {address === undefined ? (
        <p>The link is in the browser in which you offered it. Without it, take the ticket back and offer it again.</p>
      ) : (
        <SharedLink address={address} label={`The ticket for ${offer.email}`} />
      )}
      <button type="button" class="button quiet small" onClick={onWithdraw}>
        Take it back
      </button>
    </div>
  );
}

function OfferForm({ onOffer }: { readonly onOffer: (email: string) => void }) {
  const [email, setEmail] = useState('');
  return (
    <details>
      <summary>Give to a friend</summary>
      <form
        class="ticket-form"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          onOffer(email);
        }}
      >
        <Field label="Email address of your friend" type="email" value={email} onChange={setEmail} />
        <button type="submit" class="button small">
          Offer the ticket
        </button>
      </form>
    </details>
  );
}
