import { useState } from 'preact/hooks';
import { messageOf } from '../../../site/browser/state/messages.ts';
import { call } from '../state/api.ts';
import { Field } from './field.tsx';

interface Offer {
  readonly transfer_id: string;
  readonly accept_token: string;
}

/** The token is behind the #, so no server sees it. */
const acceptAddress = ({ transfer_id, accept_token }: Offer): string =>
  `${location.origin}/accept#${new URLSearchParams({ transfer_id, accept_token })}`;

/** Offers a ticket to a friend. A real shop would send the link by mail; the demo shows it. */
export function GiveAway({ ticketId, ssoToken }: { readonly ticketId: number; readonly ssoToken: string }) {
  const [email, setEmail] = useState('');
  const [address, setAddress] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function offer(): Promise<void> {
    try {
      const made = await call<Offer>('POST', `/v1/tickets/${ticketId}/transfers`, { body: { email }, ssoToken });
      setAddress(acceptAddress(made));
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  if (address !== undefined) {
    return (
      <p>
        Send this link to your friend. The ticket stays yours until it is accepted.
        <br />
        <a href={address}>The ticket for {email}</a>
      </p>
    );
  }
  return (
    <details>
      <summary>Give to a friend</summary>
      <form
        class="ticket-form"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void offer();
        }}
      >
        <Field label="Email address of your friend" type="email" value={email} onChange={setEmail} />
        {problem !== undefined && <p role="alert">{problem}</p>}
        <button type="submit" class="button small">
          Offer the ticket
        </button>
      </form>
    </details>
  );
}
