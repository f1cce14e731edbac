import { Link } from '../../../site/browser/parts/link.tsx';
import type { ClubEvent, Price } from '../../../site/browser/resources.ts';
import { nowMs } from '../../../site/browser/state/config.ts';
import { money } from '../../../site/browser/state/format.ts';
import { fromDay } from '../state/format.ts';
import { mostOf, unavailable } from '../state/price.ts';
import { startOf } from '../state/sale.ts';
import { session } from '../state/session.ts';
import { Count } from './count.tsx';

/** How many of each price, by its id. */
export type Quantities = Readonly<Record<number, number>>;

interface PriceListProps {
  readonly event: ClubEvent;
  readonly prices: readonly Price[];
  readonly countOf: (price: Price) => number;
  readonly onChange: (priceId: number, quantity: number) => void;
}

/** The prices of an event, by category, each with a choice of how many. */
export function PriceList({ event, prices, countOf, onChange }: PriceListProps) {
  const categories = Map.groupBy(prices, ({ price_category_title }) => price_category_title);
  return (
    <>
      {prices.some(({ service_fee, service_tax }) => service_fee + service_tax > 0) && (
        <p class="hint">All prices include fees.</p>
      )}
      {[...categories].map(([title, ofCategory]) => (
        <fieldset key={title} class="category">
          <legend>{title}</legend>
          <ul class="lines">
            {ofCategory.map((price) => (
              <li key={price.price_id} class="line price">
                <PriceRow event={event} price={price} quantity={countOf(price)} onChange={onChange} />
              </li>
            ))}
          </ul>
        </fieldset>
      ))}
    </>
  );
}

interface RowProps extends Pick<PriceListProps, 'event' | 'onChange'> {
  readonly price: Price;
  readonly quantity: number;
}

function PriceRow({ event, price, quantity, onChange }: RowProps) {
  const { price_id, title, tickets_included, few_left, left, code_reduction = 0, membership_type_name } = price;
  const id = `price-${price_id}`;
  const reason = unavailable(price);
  const startUnix = startOf(price, nowMs() / 1000);
  return (
    <>
      <div class="price-text">
        <label for={id} class="price-title">
          {title}
        </label>
        {tickets_included > 1 && <span class="hint">{tickets_included} tickets</span>}
        {reason === undefined && few_left && <span class="hint">Only {left ?? 'a few'} left</span>}
        {code_reduction > 0 && <span class="hint">{money(code_reduction, event.currency)} less with your code</span>}
        {membership_type_name !== null && <span class="hint">For members: {membership_type_name}</span>}
        {price.missing?.includes('membership') && <BecomeMember eventId={event.event_id} />}
      </div>
      <span class="amount">{money(price.total_price, event.currency)}</span>
      {reason === undefined ? (
        <Count id={id} to={mostOf(price)} value={quantity} onChange={(count) => onChange(price_id, count)} />
      ) : (
        <span class="tag" id={id}>
          {startUnix === undefined ? reason : fromDay(startUnix, event.timezone)}
        </span>
      )}
    </>
  );
}

/** What somebody does who may not buy at a price for members. */
function BecomeMember({ eventId }: { readonly eventId: string }) {
  const join = <Link to="/memberships">{session().fan === undefined ? 'join' : 'Join'}</Link>;
  if (session().fan !== undefined) return <span class="hint">{join} to buy this ticket</span>;
  return (
    <span class="hint">
      <Link to={`/sign-in?back=/events/${eventId}`}>Sign in</Link> or {join} to buy this ticket
    </span>
  );
}
