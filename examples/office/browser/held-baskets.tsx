import { useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List } from '../../site/browser/resources.ts';
import { config } from '../../site/browser/state/config.ts';
import { money, secondOf, tickets } from '../../site/browser/state/format.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { Action } from './action.tsx';
import { everyPage, officeCall } from './api.ts';
import type { Field, Values } from './fields.ts';
import { Form } from './form.tsx';
import { LinkToSend } from './link-to-send.tsx';
import type { HeldBasket, OfficeEvent, OfficePrice } from './resources.ts';
import { shopLink } from './shop-link.ts';

const holdFields = (prices: readonly OfficePrice[]): readonly Field[] => [
  {
    name: 'price_id',
    label: 'Price',
    kind: 'choice',
    choices: prices.map((price) => ({ value: price.price_id, title: `${price.price_category_title}: ${price.title}` })),
  },
  { name: 'quantity', label: 'How many', kind: 'count', required: true, hint: 'At most 40.' },
  { name: 'hold_until_unix', label: 'Kept until', kind: 'unix', required: true, hint: 'At most 60 days.' },
  { name: 'reason', label: 'Reason', kind: 'text', hint: 'For staff, such as School class 4b.' },
  { name: 'email', label: 'Email address', kind: 'text', hint: 'Of the person, if you know. Then also the names.' },
  { name: 'first_name', label: 'First name', kind: 'text' },
  { name: 'last_name', label: 'Last name', kind: 'text' },
];

/** Opens the basket and adds the tickets. If they cannot be added, nothing is kept. */
async function keep(_: Values, all: Values): Promise<unknown> {
  const { price_id, quantity, hold_until_unix, reason, email, first_name, last_name } = all;
  const customer = email === null ? null : { email, first_name: first_name ?? '', last_name: last_name ?? '' };
  const body = { org: config().orgId, hold_until_unix, reason, ...(customer && { customer }) };
  const { id } = await officeCall<HeldBasket>('POST', '/v1/baskets', { body });
  try {
    return await officeCall('POST', `/v1/baskets/${id}/items`, { body: { price_id, quantity } });
  } catch (error) {
    await officeCall('DELETE', `/v1/baskets/${id}`);
    throw error;
  }
}

/** The places of an event that are kept for somebody, and how to keep more. */
export function HeldBasketsPage({ eventId }: { readonly eventId: string }) {
  const [changes, setChanges] = useState(0);
  const path = `/v1/events/${eventId}`;
  const loaded = useLoaded(
    () =>
      Promise.all([
        officeCall<OfficeEvent>('GET', path),
        officeCall<List<OfficePrice>>('GET', `${path}/prices`),
        everyPage<HeldBasket>(`${path}/held_baskets?limit=200`),
      ]),
    [eventId, changes],
  );
  return (
    <Page title="Kept for buyers">
      <WhenLoaded of={loaded} what="what is kept">
        {([event, { data: prices }, held]) => (
          <>
            <p class="intro">{event.title}: for somebody who pays later, such as a school class.</p>
            {held.length === 0 && <Notice title="Nothing is kept" />}
            <ul class="lines">
              {held.map((basket) => (
                <Kept key={basket.id} basket={basket} event={event} onEnded={() => setChanges(changes + 1)} />
              ))}
            </ul>
            <h2>Keep places</h2>
            <Form
              key={changes}
              fields={holdFields(prices)}
              method="POST"
              path="/v1/baskets"
              send={keep}
              values={{ price_id: prices[0]?.price_id }}
              timezone={event.timezone}
              button="Keep them"
              onSaved={() => setChanges(changes + 1)}
            />
          </>
        )}
      </WhenLoaded>
      <p>
        <Link to={`/office/events/${eventId}`}>Back to the event</Link>
      </p>
    </Page>
  );
}

interface KeptProps {
  readonly basket: HeldBasket;
  readonly event: OfficeEvent;
  readonly onEnded: () => void;
}

function Kept({ basket, event, onEnded }: KeptProps) {
  const [link, setLink] = useState<string>();
  const { id, items, reason, customer, hold_until_unix, total } = basket;
  const count = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const whom = [reason, customer && `${customer.first_name} ${customer.last_name}`].filter(Boolean).join(' · ');

  async function showLink(): Promise<void> {
    const { basket_token } = await officeCall<HeldBasket>('GET', `/v1/baskets/${id}`);
    setLink(shopLink(`/kept/${id}#${basket_token}`));
  }

  return (
    <li class="line kept">
      <div>
        <strong>{whom || 'Without a reason'}</strong>
        <span class="hint">
          {tickets(count)} · {money(total, event.currency)} · until {secondOf(hold_until_unix, event.timezone)}
        </span>
        {link !== undefined && <LinkToSend link={link} label="Link to send. Whoever has it can pay." />}
      </div>
      <span class="buttons">
        <Action act={showLink}>Link</Action>
        <Action
          act={() => officeCall('DELETE', `/v1/baskets/${id}`).then(onEnded)}
          ask={{
            title: `Give ${tickets(count)} back?`,
            text: (
              <p>
                {tickets(count)} for {money(total, event.currency)} {count === 1 ? 'is' : 'are'} on sale again, and the
                link does not work any more.
              </p>
            ),
            yes: 'Give back now',
          }}
        >
          Give back
        </Action>
      </span>
    </li>
  );
}
