import { useState } from 'preact/hooks';
import type { ClubEvent, Price } from '../../../site/browser/resources.ts';
import { money, tickets } from '../../../site/browser/state/format.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { PriceList, type Quantities } from '../parts/price-list.tsx';
import { addSeats } from '../state/basket.ts';
import { unavailable } from '../state/price.ts';
import { SeatRefusal } from './refusal.tsx';

interface BestProps {
  readonly event: ClubEvent;
  readonly prices: readonly Price[];
  readonly onStockChange: () => void;
  readonly onPick: () => void;
}

/** The best seats together: the buyer says how many, and the service chooses. */
export function BestSeats({ event, prices, onStockChange, onPick }: BestProps) {
  const [quantities, setQuantities] = useState<Quantities>({});
  const [accessible, setAccessible] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const wanted = prices.filter((price) => !unavailable(price) && (quantities[price.price_id] ?? 0) > 0);
  const count = wanted.reduce((sum, { price_id }) => sum + (quantities[price_id] ?? 0), 0);
  const total = wanted.reduce((sum, price) => sum + price.total_price * (quantities[price.price_id] ?? 0), 0);

  /** Seats of one category sit together, so each category is a request. */
  async function add(together: boolean): Promise<void> {
    setProblem(undefined);
    setIsBusy(true);
    try {
      let wheelchairs = accessible;
      for (const ofCategory of Map.groupBy(wanted, ({ price_category_id }) => price_category_id).values()) {
        const items = ofCategory.map(({ price_id }) => ({ price_id, quantity: quantities[price_id] ?? 0 }));
        await addSeats({ items, accessible: wheelchairs, together });
        wheelchairs = 0;
        // What is in the basket is not added again if the next category is sold out.
        setQuantities((all) => ({ ...all, ...Object.fromEntries(items.map(({ price_id }) => [price_id, 0])) }));
      }
      navigate('/basket');
    } catch (error) {
      setProblem(error);
      if (hasCode(error, 'sold_out', 'accessible_sold_out', 'price_not_on_sale')) onStockChange();
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <form
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void add(true);
      }}
    >
      {problem !== undefined && (
        <SeatRefusal error={problem} onEmptied={() => setProblem(undefined)}>
          {hasCode(problem, 'seats_not_together') && (
            <p class="buttons">
              <button type="button" class="button" onClick={() => void add(false)}>
                Take seats that are not together
              </button>
              <button type="button" class="button quiet" onClick={onPick}>
                Choose the seats yourself
              </button>
            </p>
          )}
        </SeatRefusal>
      )}
      <PriceList currency={event.currency} prices={prices} quantities={quantities} onChange={setQuantities} />
      <p class="field wheelchairs">
        <label for="wheelchairs">Wheelchair places among them</label>
        <select
          id="wheelchairs"
          value={accessible}
          onChange={({ currentTarget }) => setAccessible(Number(currentTarget.value))}
        >
          {[0, 1, 2].map((places) => (
            <option key={places} value={places}>
              {places}
            </option>
          ))}
        </select>
      </p>
      <div class="action">
        <button type="submit" class="button" disabled={count === 0 || isBusy}>
          {isBusy && 'One moment …'}
          {!isBusy && count === 0 && 'How many tickets?'}
          {!isBusy && count > 0 && `Take the best seats · ${tickets(count)} · ${money(total, event.currency)}`}
        </button>
      </div>
    </form>
  );
}
