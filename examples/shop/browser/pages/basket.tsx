import { useEffect, useState } from 'preact/hooks';
import { Link } from '../../../site/browser/parts/link.tsx';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { Price } from '../../../site/browser/resources.ts';
import { money, seatsText } from '../../../site/browser/state/format.ts';
import { messageOf } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { CodeEntry } from '../parts/code-entry.tsx';
import { HolderNames } from '../parts/holder-names.tsx';
import type { Basket } from '../resources.ts';
import { emptyBasket, forgetBasket, nameHolders, refreshBasket, removeLine, useBasket } from '../state/basket.ts';
import { prices } from '../state/catalogue.ts';
import { session } from '../state/session.ts';

/** What the buyer has chosen. */
export function BasketPage() {
  const basket = useBasket();
  const [problem, setProblem] = useState<string>();
  useEffect(() => void refreshBasket().catch((error: unknown) => setProblem(messageOf(error))), []);
  const eventId = basket?.event_id ?? null;
  const offered = useLoaded(async () => (eventId === null ? [] : prices(eventId)), [eventId]);

  function change(action: () => Promise<void>): void {
    setProblem(undefined);
    action().catch((error: unknown) => {
      setProblem(messageOf(error));
      void refreshBasket().catch(() => {});
    });
  }

  return (
    <Page title="Your basket">
      {problem !== undefined && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      <Contents basket={basket} offered={offered.state === 'ready' ? offered.value : []} change={change} />
    </Page>
  );
}

interface ContentsProps {
  readonly basket: Basket | undefined;
  readonly offered: readonly Price[];
  readonly change: (action: () => Promise<void>) => void;
}

function Contents({ basket, offered, change }: ContentsProps) {
  if (basket?.status === 'expired') return <Expired />;
  if (basket === undefined || basket.items.length === 0) return <Empty />;
  const currency = basket.currency ?? 'AUD';
  return (
    <>
      <ul class="lines">
        {basket.items.map((item) => (
          <li key={item.line_id} class="line">
            <span class="line-text">
              {item.quantity} × {item.title}
              {item.seats.length > 0 && <span class="hint">{seatsText(item.seats)}</span>}
              {item.renews.length > 0 && <span class="hint">The next term of your membership</span>}
              {item.replaces.length > 0 && (
                <span class="hint">
                  In place of your membership: {money(item.unit_price, currency)} less what you have paid for its rest
                </span>
              )}
            </span>
            <span class="amount">{money(item.total, currency)}</span>
            <button
              type="button"
              class="button quiet small"
              aria-label={`Remove ${item.title}`}
              onClick={() => change(() => removeLine(item.line_id))}
            >
              Remove
            </button>
            <HolderNames
              item={item}
              price={offered.find(({ price_id }) => price_id === item.price_id)}
              onSave={(holders) => change(() => nameHolders(item.line_id, holders))}
            />
          </li>
        ))}
        <li class="line total">
          <span class="line-text">
            Total
            {basket.fees > 0 && <span class="hint">includes fees of {money(basket.fees, currency)}</span>}
          </span>
          <span class="amount">{money(basket.total, currency)}</span>
        </li>
      </ul>
      <CodeEntry />
      <div class="action buttons">
        <Link to="/checkout" class="button">
          {basket.total === 0 ? 'Get your tickets' : 'Go to the payment'}
        </Link>
        <Link to={basket.event_id === null ? '/memberships' : `/events/${basket.event_id}`} class="button quiet">
          Add more
        </Link>
        <button type="button" class="button quiet" onClick={() => change(emptyBasket)}>
          Empty the basket
        </button>
      </div>
    </>
  );
}

function Empty() {
  return (
    <Notice title="Your basket is empty">
      <p class="buttons">
        <Link to="/" class="button">
          See all events
        </Link>
        {session().bought !== undefined && (
          <Link to="/confirmation" class="button quiet">
            Your last order
          </Link>
        )}
      </p>
    </Notice>
  );
}

function chooseAgain(): void {
  const { eventId } = session();
  forgetBasket();
  navigate(eventId === undefined ? '/' : `/events/${eventId}`);
}

/** The time is over. Shown wherever the buyer is when it happens. */
export function Expired() {
  return (
    <Notice tone="warning" title="Your time ran out">
      <p>We hold tickets for 15 minutes. Yours are back on sale, and you have not been charged.</p>
      <button type="button" class="button" onClick={chooseAgain}>
        Choose again
      </button>
    </Notice>
  );
}
