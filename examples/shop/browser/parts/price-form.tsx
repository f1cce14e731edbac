import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Form, SubmitButton } from '../../../site/browser/parts/form.tsx';
import type { ClubEvent, Price } from '../../../site/browser/resources.ts';
import { money, tickets } from '../../../site/browser/state/format.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { useAction } from '../../../site/browser/state/use-action.ts';
import { mostOf, unavailable } from '../state/price.ts';
import { PriceList, type Quantities } from './price-list.tsx';
import { Refusal } from './refusal.tsx';

/** What an offer of tickets needs. */
export interface OfferProps {
  readonly event: ClubEvent;
  readonly prices: readonly Price[];
  /** Called when other prices may be on sale than those that are shown. */
  readonly onStockChange: () => void;
}

/** So many tickets of a price. */
export interface Wanted {
  readonly price_id: number;
  readonly quantity: number;
}

interface PriceFormProps extends OfferProps {
  readonly verb: string;
  readonly nothing: string;
  /** Prices with the same group are added by one request. */
  readonly groupOf: (price: Price) => number;
  readonly add: (wanted: readonly Wanted[], isFirst: boolean) => Promise<void>;
  /** What else a buyer can do after a refusal; `again` sends the request once more. */
  readonly afterRefusal?: (error: unknown, again: (add: PriceFormProps['add']) => void) => ComponentChildren;
  readonly children?: ComponentChildren;
}

/** After these errors the prices on the page are old. */
const changed = [
  'sold_out',
  'accessible_sold_out',
  'waiting_list_open',
  'price_not_on_sale',
  'phase_not_open',
  'not_eligible',
];

/** The prices of an event, and how many of each the buyer wants. */
export function PriceForm(props: PriceFormProps) {
  const { event, prices, onStockChange, verb, nothing, groupOf, add, afterRefusal, children } = props;
  const [quantities, setQuantities] = useState<Quantities>({});
  const { isBusy, problem, run, forget } = useAction();
  const countOf = (price: Price): number =>
    unavailable(price) === undefined ? Math.min(quantities[price.price_id] ?? 0, mostOf(price)) : 0;
  const wanted = prices.filter((price) => countOf(price) > 0);
  const count = wanted.reduce((sum, price) => sum + countOf(price), 0);
  const total = wanted.reduce((sum, price) => sum + price.total_price * countOf(price), 0);

  const submit = (addGroup: PriceFormProps['add']): void => {
    const addAll = async (): Promise<void> => {
      for (const [index, group] of [...Map.groupBy(wanted, groupOf).values()].entries()) {
        const items = group.map((price) => ({ price_id: price.price_id, quantity: countOf(price) }));
        await addGroup(items, index === 0);
        // What is in the basket is not added again if a later group is sold out.
        setQuantities((all) => ({ ...all, ...Object.fromEntries(group.map(({ price_id }) => [price_id, 0])) }));
      }
      navigate('/basket');
    };
    void run(addAll, (error) => {
      if (hasCode(error, ...changed)) onStockChange();
    });
  };
  const tooMany = prices.find(({ price_id, left }) => left !== undefined && (quantities[price_id] ?? 0) > left);

  return (
    <Form onSubmit={() => submit(add)}>
      <Refusal error={problem} text={hasCode(problem, 'sold_out') ? fewerLeft(tooMany) : undefined} onEmptied={forget}>
        {afterRefusal?.(problem, submit)}
      </Refusal>
      <PriceList
        event={event}
        prices={prices}
        countOf={countOf}
        onChange={(priceId, quantity) => {
          forget();
          setQuantities({ ...quantities, [priceId]: quantity });
        }}
      />
      {children}
      <div class="action">
        <SubmitButton isBusy={isBusy} disabled={count === 0}>
          {count === 0 ? nothing : `${verb} ${tickets(count)} · ${money(total, event.currency)}`}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** What the shop knows after a refusal: how many are left, or that none are. */
function fewerLeft(price: Price | undefined): string | undefined {
  const { left = 0, title = '' } = price ?? {};
  if (price === undefined) return undefined;
  if (left === 0) return `The last tickets (${title}) are gone. Choose another ticket.`;
  return `Only ${left} ${left === 1 ? 'is' : 'are'} left. We have changed your choice: add them, or choose another ticket.`;
}
