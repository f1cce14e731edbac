import type { Price } from '../../../site/browser/resources.ts';
import { money } from '../../../site/browser/state/format.ts';
import { unavailable } from '../state/price.ts';

/** How many of each price, by its id. */
export type Quantities = Readonly<Record<number, number>>;

interface PriceListProps {
  readonly currency: string;
  readonly prices: readonly Price[];
  readonly quantities: Quantities;
  readonly onChange: (quantities: Quantities) => void;
}

const maxQuantity = 10;

/** The prices of an event, by category, each with a choice of how many. */
export function PriceList({ currency, prices, quantities, onChange }: PriceListProps) {
  const categories = Map.groupBy(prices, ({ price_category_title }) => price_category_title);
  return (
    <>
      {prices.some(({ service_fee, service_tax }) => service_fee + service_tax > 0) && (
        <p class="hint above">All prices include fees.</p>
      )}
      {[...categories].map(([title, ofCategory]) => (
        <fieldset key={title} class="category">
          <legend>{title}</legend>
          <ul class="prices">
            {ofCategory.map((price) => (
              <li key={price.price_id} class="price">
                <PriceRow
                  price={price}
                  currency={currency}
                  quantity={quantities[price.price_id] ?? 0}
                  onChange={(quantity) => onChange({ ...quantities, [price.price_id]: quantity })}
                />
              </li>
            ))}
          </ul>
        </fieldset>
      ))}
    </>
  );
}

interface RowProps {
  readonly price: Price;
  readonly currency: string;
  readonly quantity: number;
  readonly onChange: (quantity: number) => void;
}

function PriceRow({ price, currency, quantity, onChange }: RowProps) {
  const id = `price-${price.price_id}`;
  const reason = unavailable(price);
  return (
    <>
      <label for={id} class="price-text">
        <span class="price-title">{price.title}</span>
        {price.tickets_included > 1 && <span class="hint">{price.tickets_included} tickets</span>}
        {reason === undefined && price.few_left && <span class="hint">Only a few left</span>}
        {(price.code_reduction ?? 0) > 0 && (
          <span class="hint">{money(price.code_reduction ?? 0, currency)} less with your code</span>
        )}
        {price.membership_type_name !== null && <span class="hint">For members: {price.membership_type_name}</span>}
      </label>
      <span class="amount">{money(price.total_price, currency)}</span>
      {reason === undefined ? (
        <select id={id} value={quantity} onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}>
          {Array.from({ length: maxQuantity + 1 }, (_, count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </select>
      ) : (
        <span class="tag" id={id}>
          {reason}
        </span>
      )}
    </>
  );
}
