import { useState } from 'preact/hooks';
import { Button, QuietButton } from '../../../site/browser/parts/button.tsx';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { Count } from '../parts/count.tsx';
import { type OfferProps, PriceForm, type Wanted } from '../parts/price-form.tsx';
import { addSeats } from '../state/basket.ts';
import { SeatPicker } from './picker.tsx';

/** Numbered seats: the best ones together, or those that the buyer picks. The basket holds them at once. */
export function SeatedOffer({ event, prices, onStockChange }: OfferProps) {
  const [picks, setPicks] = useState(false);
  return (
    <>
      <p class="intro">
        {picks
          ? 'Choose your seats in the plan or in the list.'
          : 'Say how many tickets you need, and get the best seats together.'}
      </p>
      {picks ? (
        <SeatPicker event={event} prices={prices} />
      ) : (
        <BestSeats event={event} prices={prices} onStockChange={onStockChange} onPick={() => setPicks(true)} />
      )}
      <p class="action">
        <QuietButton onClick={() => setPicks(!picks)}>
          {picks ? 'Take the best seats instead' : 'Choose the seats yourself'}
        </QuietButton>
      </p>
    </>
  );
}

/** The best seats together: the buyer says how many, and the service chooses. Seats of one category sit together. */
function BestSeats({ onPick, ...offer }: OfferProps & { readonly onPick: () => void }) {
  const [accessible, setAccessible] = useState(0);
  const adding = (together: boolean) => async (items: readonly Wanted[], isFirst: boolean) => {
    await addSeats({ items, accessible: isFirst ? accessible : 0, together });
    setAccessible(0);
  };
  return (
    <PriceForm
      {...offer}
      verb="Take the best seats ·"
      nothing="How many tickets?"
      groupOf={({ price_category_id }) => price_category_id}
      add={adding(true)}
      afterRefusal={(error, again) =>
        hasCode(error, 'seats_not_together') && (
          <p class="buttons">
            <Button onClick={() => again(adding(false))}>Take seats that are not together</Button>
            <QuietButton onClick={onPick}>Choose the seats yourself</QuietButton>
          </p>
        )
      }
    >
      <p class="field wheelchairs">
        <label for="wheelchairs">Wheelchair places among them</label>
        <Count id="wheelchairs" to={2} value={accessible} onChange={setAccessible} />
      </p>
    </PriceForm>
  );
}
