import { useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List, WaitingEntry } from '../../site/browser/resources.ts';
import { tickets } from '../../site/browser/state/format.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { Action } from './action.tsx';
import { everyPage, officeCall } from './api.ts';
import { LinkToSend } from './link-to-send.tsx';
import type { OfficeEvent, OfficePrice } from './resources.ts';
import { shopLink } from './shop-link.ts';

const statusTexts: Readonly<Record<WaitingEntry['status'], string>> = {
  unconfirmed: 'has not confirmed the address',
  waiting: 'waits',
  offered: 'has an offer',
  bought: 'has bought',
  left: 'has left',
  passed: 'did not buy in time',
};

/** Who waits for tickets of an event, in the order in which they get them. */
export function WaitingListPage({ eventId }: { readonly eventId: string }) {
  const [changes, setChanges] = useState(0);
  const path = `/v1/events/${eventId}`;
  const loaded = useLoaded(
    () =>
      Promise.all([
        officeCall<OfficeEvent>('GET', path),
        officeCall<List<OfficePrice>>('GET', `${path}/prices`),
        everyPage<OfficeEntry>(`${path}/waiting_list?limit=200`),
      ]),
    [eventId, changes],
  );
  return (
    <Page title="Waiting list">
      <WhenLoaded of={loaded} what="the waiting list">
        {([event, { data: prices }, entries]) => (
          <>
            <p class="intro">{event.title}</p>
            {entries.length === 0 && (
              <Notice title="Nobody waits">
                <p>Fans can join when a price is sold out.</p>
              </Notice>
            )}
            <ol class="lines">
              {entries.map((entry) => (
                <Waiting
                  key={entry.entry_id}
                  entry={entry}
                  price={prices.find(({ price_id }) => price_id === entry.price_id)}
                  onChanged={() => setChanges(changes + 1)}
                />
              ))}
            </ol>
            <p>
              <Link to={`/office/events/${eventId}`}>Back to the event</Link>
            </p>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

/** To staff, everything is shown, with the token for the mail to somebody who has to confirm. */
interface OfficeEntry extends WaitingEntry {
  readonly quantity: number;
  readonly confirm_token: string | null;
}

interface WaitingProps {
  readonly entry: OfficeEntry;
  readonly price: OfficePrice | undefined;
  readonly onChanged: () => void;
}

function Waiting({ entry, price, onChanged }: WaitingProps) {
  const [link, setLink] = useState<string>();
  const { event_id, entry_id, basket_id, email, quantity, accept_less, offered_quantity, status } = entry;

  async function showLink(): Promise<void> {
    if (status === 'unconfirmed') {
      setLink(shopLink(`/confirm/${event_id}/${entry_id}#${entry.confirm_token}`));
      return;
    }
    const { basket_token } = await officeCall<{ basket_token: string }>('GET', `/v1/baskets/${basket_id}`);
    setLink(shopLink(`/kept/${basket_id}#${basket_token}`));
  }

  const remove = () => officeCall('DELETE', `/v1/events/${event_id}/waiting_list/${entry_id}`).then(onChanged);

  return (
    <li class="line kept">
      <div>
        <strong>{email}</strong>
        <span class="hint">
          {tickets(quantity)}
          {accept_less && ' or fewer'} · {price?.title} · {statusTexts[status]}
          {offered_quantity !== null && offered_quantity < quantity && ` (${offered_quantity})`}
        </span>
        {link !== undefined && (
          <LinkToSend
            link={link}
            label={
              status === 'unconfirmed' ? 'Link to send to this address only.' : 'Link to send. Whoever has it can pay.'
            }
            mail={{ to: email, subject: 'Your place on the waiting list', text: 'Your place on the waiting list:' }}
          />
        )}
      </div>
      <span class="buttons">
        {(status === 'offered' || status === 'unconfirmed') && <Action act={showLink}>Link</Action>}
        {(status === 'unconfirmed' || status === 'waiting' || status === 'offered') && (
          <Action
            act={remove}
            ask={{
              title: `Remove ${email}?`,
              text: <p>This person loses the place on the list, and an offer with it.</p>,
              yes: 'Remove from the list',
            }}
          >
            Remove
          </Action>
        )}
      </span>
    </li>
  );
}
