import { useState } from 'preact/hooks';
import { ButtonLink } from '../../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { whenAndWhere } from '../../../site/browser/state/format.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { CodeEntry } from '../parts/code-entry.tsx';
import { Phases } from '../parts/phases.tsx';
import { type OfferProps, PriceForm } from '../parts/price-form.tsx';
import { WaitingList } from '../parts/waiting-list.tsx';
import { SeatedOffer } from '../seats/offer.tsx';
import { addItem, useBasket } from '../state/basket.ts';
import { event, type Offer as OfferedPrices, offerOf } from '../state/catalogue.ts';

/** One event with its prices. */
export function EventPage({ eventId }: { readonly eventId: string }) {
  const [changes, setChanges] = useState(0);
  const fresh = changes > 0;
  const code = useBasket()?.code?.code;
  const offer = useLoaded(async () => {
    // The prices of a cancelled event are a 404.
    const nothing = (error: unknown): OfferedPrices => {
      if (hasCode(error, 'resource_not_found')) return { prices: [], phases: [] };
      throw error;
    };
    return Promise.all([event(eventId, { fresh }), offerOf(eventId, { fresh, code }).catch(nothing)]);
  }, [eventId, changes, code]);
  if (offer.state === 'failed' && hasCode(offer.error, 'resource_not_found')) {
    return (
      <Page title="This event is not on sale" intro="It may be over, or the address may have a typing mistake.">
        <ButtonLink to="/">See all events</ButtonLink>
      </Page>
    );
  }
  const title = offer.state === 'ready' ? offer.value[0].title : 'Tickets';
  return (
    <Page title={title}>
      <WhenLoaded of={offer} what="the tickets">
        {([shown, offered]) => (
          <>
            <p class="intro">{whenAndWhere(shown)}</p>
            <Phases phases={offered.phases} timeZone={shown.timezone} onChange={() => setChanges(changes + 1)} />
            <Offer event={shown} prices={offered.prices} onStockChange={() => setChanges(changes + 1)} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function Offer({ event: shown, prices: offered, onStockChange }: OfferProps) {
  if (shown.cancelled_unix !== null) {
    return (
      <Notice tone="warning" title="This event was cancelled">
        <p>Its tickets are not valid any more. Your order says what you get back.</p>
        <ButtonLink to="/my-tickets">My tickets</ButtonLink>
      </Notice>
    );
  }
  if (shown.reserved_seating && shown.seat_map_id === null) {
    return <Notice title="Numbered seats" text="Tickets with a numbered seat are sold at the box office." />;
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
        <PriceForm
          event={shown}
          prices={offered}
          onStockChange={onStockChange}
          verb="Add"
          nothing="Choose your tickets"
          groupOf={({ price_id }) => price_id}
          add={async ([wanted]) => wanted && addItem(wanted)}
        />
      )}
      {list}
    </>
  );
}
