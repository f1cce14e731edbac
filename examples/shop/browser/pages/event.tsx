import { useState } from 'preact/hooks';
import { Link } from '../../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { ClubEvent, Price } from '../../../site/browser/resources.ts';
import { money, placeOf, tickets } from '../../../site/browser/state/format.ts';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { CodeEntry } from '../parts/code-entry.tsx';
import { Phases } from '../parts/phases.tsx';
import { PriceList, type Quantities } from '../parts/price-list.tsx';
import { WaitingList } from '../parts/waiting-list.tsx';
import { SeatedOffer } from '../seats/offer.tsx';
import { addTickets, emptyBasket, useBasket } from '../state/basket.ts';
import { event, phases, prices } from '../state/catalogue.ts';
import { unavailable } from '../state/price.ts';

/** One event with its prices. */
export function EventPage({ eventId }: { readonly eventId: string }) {
  const [changes, setChanges] = useState(0);
  const fresh = changes > 0;
  const code = useBasket()?.code?.code;
  const offer = useLoaded(async () => {
    // The prices of a cancelled event are a 404.
    const noPrices = (error: unknown): readonly Price[] => {
      if (hasCode(error, 'resource_not_found')) return [];
      throw error;
    };
    const offers = prices(eventId, { fresh, code }).catch(noPrices);
    const [shown, offered] = await Promise.all([event(eventId, { fresh }), offers]);
    return [shown, offered, await phases(eventId, offered)] as const;
  }, [eventId, changes, code]);
  if (offer.state === 'failed' && hasCode(offer.error, 'resource_not_found')) {
    return (
      <Page title="This event is not on sale" intro="It may be over, or the address may have a typing mistake.">
        <Link to="/" class="button">
          See all events
        </Link>
      </Page>
    );
  }
  if (offer.state === 'ready' && offer.value[0].cancelled_unix !== null)
    return <CancelledEvent event={offer.value[0]} />;
  const title = offer.state === 'ready' ? offer.value[0].title : 'Tickets';
  return (
    <Page title={title}>
      <WhenLoaded of={offer} what="the tickets">
        {([shown, offered, ofSale]) => (
          <>
            <p class="intro">{[shown.formatted_full_event_start_date, placeOf(shown)].filter(Boolean).join(' · ')}</p>
            <Phases phases={ofSale} timeZone={shown.timezone} onChange={() => setChanges(changes + 1)} />
            <Offer event={shown} prices={offered} onStockChange={() => setChanges(changes + 1)} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

interface OfferProps {
  readonly event: ClubEvent;
  readonly prices: readonly Price[];
  readonly onStockChange: () => void;
}

function Offer({ event: shown, prices: offered, onStockChange }: OfferProps) {
  if (shown.reserved_seating && shown.seat_map_id === null) {
    return (
      <Notice title="Numbered seats">
        <p>Tickets with a numbered seat are sold at the box office.</p>
      </Notice>
    );
  }
  const soldOut = shown.reserved_seating ? [] : offered.filter(({ status }) => status === 'sold_out');
  const list = soldOut.length > 0 && <WaitingList event={shown} prices={soldOut} />;
  if (shown.sold_out || offered.every(({ status }) => status === 'sold_out')) {
    return (
      <>
        <Notice tone="warning" title="Sold out">
          <p>All tickets are gone.{soldOut.length === 0 && ' When a fan gives tickets back, they appear here.'}</p>
        </Notice>
        {list}
      </>
    );
  }
  return (
    <>
      <CodeEntry />
      {shown.reserved_seating ? (
        <SeatedOffer event={shown} prices={offered} onStockChange={onStockChange} />
      ) : (
        <Order event={shown} prices={offered} onStockChange={onStockChange} />
      )}
      {list}
    </>
  );
}

function Order({ event: shown, prices: offered, onStockChange }: OfferProps) {
  const [quantities, setQuantities] = useState<Quantities>({});
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const chosen = offered.filter((price) => !unavailable(price) && (quantities[price.price_id] ?? 0) > 0);
  const count = chosen.reduce((sum, { price_id }) => sum + (quantities[price_id] ?? 0), 0);
  const total = chosen.reduce((sum, price) => sum + price.total_price * (quantities[price.price_id] ?? 0), 0);

  /** One change of the basket at a time. */
  async function change(action: () => Promise<void>): Promise<void> {
    setProblem(undefined);
    setIsBusy(true);
    try {
      await action();
    } catch (error) {
      setProblem(error);
      const isOver = hasCode(
        error,
        'sold_out',
        'waiting_list_open',
        'price_not_on_sale',
        'phase_not_open',
        'not_eligible',
      );
      if (isOver) onStockChange();
    } finally {
      setIsBusy(false);
    }
  }

  async function addChosen(): Promise<void> {
    for (const { price_id } of chosen) {
      await addTickets(price_id, quantities[price_id] ?? 0);
      // What is in the basket is not added again if a later price is sold out.
      setQuantities((all) => ({ ...all, [price_id]: 0 }));
    }
    navigate('/basket');
  }

  return (
    <form
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void change(addChosen);
      }}
    >
      {problem !== undefined && <Problem error={problem} onEmpty={() => void change(emptyBasket)} />}
      <PriceList currency={shown.currency} prices={offered} quantities={quantities} onChange={setQuantities} />
      <div class="action">
        <button type="submit" class="button" disabled={count === 0 || isBusy}>
          {isBusy && 'One moment …'}
          {!isBusy && count === 0 && 'Choose your tickets'}
          {!isBusy && count > 0 && `Add ${tickets(count)} · ${money(total, shown.currency)}`}
        </button>
      </div>
    </form>
  );
}

function Problem({ error, onEmpty }: { readonly error: unknown; readonly onEmpty: () => void }) {
  return (
    <Notice tone="bad">
      <p>{messageOf(error)}</p>
      {hasCode(error, 'event_mismatch') && (
        <p class="buttons">
          <Link to="/basket" class="button">
            Go to the basket
          </Link>
          <button type="button" class="button quiet" onClick={onEmpty}>
            Empty the basket
          </button>
        </p>
      )}
    </Notice>
  );
}

function CancelledEvent({ event: shown }: { readonly event: ClubEvent }) {
  return (
    <Page
      title={shown.title}
      intro={[shown.formatted_full_event_start_date, placeOf(shown)].filter(Boolean).join(' · ')}
    >
      <Notice tone="warning" title="This event was cancelled">
        <p>Its tickets are not valid any more. Your order says what you get back.</p>
        <Link to="/my-tickets" class="button">
          My tickets
        </Link>
      </Notice>
    </Page>
  );
}
