import { useState } from 'preact/hooks';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import { Link } from '../../../site/browser/parts/link.tsx';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import type { ClubEvent, Price, WaitingEntry } from '../../../site/browser/resources.ts';
import { tickets } from '../../../site/browser/state/format.ts';
import { retried } from '../../../site/browser/state/request.ts';
import { call } from '../state/api.ts';
import { profileOfFan, signedIn } from '../state/session.ts';
import { Choice } from './choice.tsx';
import { Count } from './count.tsx';
import { Field } from './field.tsx';

interface WaitingListProps {
  readonly event: ClubEvent;
  /** Those that are sold out. */
  readonly prices: readonly Price[];
}

const maxQuantity = 10;

/** Lets a fan wait for tickets that are sold out. */
export function WaitingList({ event, prices }: WaitingListProps) {
  const [joined, setJoined] = useState<WaitingEntry>();
  const [priceId, setPriceId] = useState(prices[0]?.price_id ?? 0);
  const [quantity, setQuantity] = useState(1);
  const [acceptLess, setAcceptLess] = useState(false);
  const [email, setEmail] = useState(profileOfFan().email);

  async function join(): Promise<void> {
    const body = { price_id: priceId, quantity, accept_less: acceptLess, email };
    const request = { body, ...signedIn() };
    // Joining twice is joining once, so it can be repeated.
    setJoined(await retried(() => call<WaitingEntry>('POST', `/v1/events/${event.event_id}/waiting_list`, request)));
  }

  if (joined?.status === 'unconfirmed') {
    return (
      <Notice tone="good" title="Confirm your place">
        <p>
          We send a mail to {joined.email}. You are on the waiting list when you open its link. (This demo sends no
          mails: staff find the link in the office, on the page of the waiting list.)
        </p>
      </Notice>
    );
  }
  if (joined !== undefined) return <OnTheList entry={joined} title="You are on the waiting list" />;
  return (
    <section class="card">
      <h2>Waiting list</h2>
      <p>
        When tickets come back, we keep them for you for a day and send you a link. Nobody else can buy them before.
      </p>
      <ActionForm act={join} label="Join the waiting list">
        <p class="field">
          <label for="waiting-price">Ticket</label>
          <select
            id="waiting-price"
            value={priceId}
            onChange={({ currentTarget }) => setPriceId(Number(currentTarget.value))}
          >
            {prices.map((price) => (
              <option key={price.price_id} value={price.price_id}>
                {price.price_category_title}: {price.title}
              </option>
            ))}
          </select>
        </p>
        <p class="field">
          <label for="waiting-quantity">How many</label>
          <Count id="waiting-quantity" from={1} to={maxQuantity} value={quantity} onChange={setQuantity} />
        </p>
        {quantity > 1 && (
          <Choice name="fewer" checked={acceptLess} onChange={setAcceptLess}>
            Fewer tickets are fine, too
          </Choice>
        )}
        <Field label="Email address" type="email" autoComplete="email" value={email} onChange={setEmail} />
      </ActionForm>
    </section>
  );
}

/** What somebody who waits is told, with the way back. */
export function OnTheList({ entry, ...shown }: { readonly entry: WaitingEntry; readonly title?: string }) {
  const { event_id, entry_id, entry_token, quantity, email } = entry;
  return (
    <Notice tone="good" {...shown}>
      <p>
        {quantity !== null && `For ${tickets(quantity)}. `}We write to {email} when they are there.
      </p>
      {entry_token !== null && (
        <p>
          <Link to={`/waiting/${event_id}/${entry_id}#${entry_token}`}>Leave the list</Link>
        </p>
      )}
    </Notice>
  );
}
