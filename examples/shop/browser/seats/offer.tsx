import { useState } from 'preact/hooks';
import { QuietButton } from '../../../site/browser/parts/button.tsx';
import type { OfferProps } from '../parts/price-form.tsx';
import { BestSeats } from './best.tsx';
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
