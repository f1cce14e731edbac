import { useState } from 'preact/hooks';
import { Button, QuietButton } from '../../../site/browser/parts/button.tsx';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { Count } from '../parts/count.tsx';
import { type OfferProps, PriceForm, type Wanted } from '../parts/price-form.tsx';
import { addSeats } from '../state/basket.ts';

/** The best seats together: the buyer says how many, and the service chooses. Seats of one category sit together. */
export function BestSeats({ onPick, ...offer }: OfferProps & { readonly onPick: () => void }) {
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
