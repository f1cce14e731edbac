import { useEffect, useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { Button } from '../../../site/browser/parts/button.tsx';
import { ButtonLink, QuietLink } from '../../../site/browser/parts/link.tsx';
import { Loading, Notice, Problem } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { Price } from '../../../site/browser/resources.ts';
import { messageOf } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { useRemoval } from '../../../site/browser/state/use-removal.ts';
import { BasketLines, useSold } from '../parts/basket-lines.tsx';
import { CodeEntry } from '../parts/code-entry.tsx';
import { Count } from '../parts/count.tsx';
import { HolderNames } from '../parts/holder-names.tsx';
import type { BasketItem } from '../resources.ts';
import {
  changeLine,
  emptyBasket,
  forgetBasket,
  isBasketLoading,
  refreshBasket,
  removeLine,
  useBasket,
} from '../state/basket.ts';
import { mostOf } from '../state/price.ts';
import { session } from '../state/session.ts';

/** What the buyer has chosen. */
export function BasketPage() {
  const basket = useBasket();
  const [problem, setProblem] = useState<string>();
  useEffect(() => void refreshBasket().catch((error: unknown) => setProblem(messageOf(error))), []);
  const sold = useSold(basket);
  const { list, onRemove } = useRemoval<HTMLUListElement>(basket?.items.length ?? 0);

  async function change(action: () => Promise<void>): Promise<void> {
    setProblem(undefined);
    await action().catch((error: unknown) => {
      setProblem(messageOf(error));
      return refreshBasket().catch(() => {});
    });
  }

  if (isBasketLoading()) return <Page title="Your basket">{loadingBasket}</Page>;
  if (basket === undefined || basket.items.length === 0) {
    return <Page title="Your basket">{basket?.status === 'expired' ? <Expired /> : <Empty />}</Page>;
  }
  if (sold === undefined) return <Page title="Your basket">{loadingBasket}</Page>;
  return (
    <Page title="Your basket">
      <Problem text={problem} />
      <ul class="lines" ref={list}>
        <BasketLines basket={basket} {...sold}>
          {(item, index) => {
            const price = sold.prices.find(({ price_id }) => price_id === item.price_id);
            return (
              <>
                <span class="buttons line-actions">
                  {price !== undefined && item.seats.length === 0 && (
                    <Quantity item={item} price={price} change={change} />
                  )}
                  <ActionButton
                    class="button quiet small remove"
                    act={() => {
                      onRemove(index);
                      return change(() => removeLine(item.line_id));
                    }}
                  >
                    Remove<span class="visually-hidden"> {item.title}</span>
                  </ActionButton>
                </span>
                <HolderNames
                  item={item}
                  price={price}
                  onSave={(holders) => void change(() => changeLine(item.line_id, { holders }))}
                />
              </>
            );
          }}
        </BasketLines>
      </ul>
      <CodeEntry />
      <div class="action buttons">
        <ButtonLink to="/checkout">{basket.total === 0 ? 'Get your tickets' : 'Go to the payment'}</ButtonLink>
        <QuietLink to={basket.event_id === null ? '/memberships' : `/events/${basket.event_id}`}>Add more</QuietLink>
        <ActionButton
          class="button quiet"
          act={() => {
            onRemove(0);
            return change(emptyBasket);
          }}
        >
          Empty the basket
        </ActionButton>
      </div>
    </Page>
  );
}

interface QuantityProps {
  readonly item: BasketItem;
  readonly price: Price;
  readonly change: (action: () => Promise<void>) => Promise<void>;
}

/** How many tickets a line has. Fewer tickets are for the first ones of the people who are named. */
function Quantity({ item, price, change }: QuantityProps) {
  const [isBusy, setIsBusy] = useState(false);
  const { line_id, quantity, holders, title } = item;
  const most = Math.max(quantity, Math.min(mostOf({ ...price, left: undefined }), quantity + (price.left ?? 10)));
  function choose(wanted: number): void {
    const named = holders.slice(0, wanted * price.tickets_included);
    setIsBusy(true);
    void change(() =>
      changeLine(line_id, { quantity: wanted, ...(named.length < holders.length && { holders: named }) }),
    ).finally(() => setIsBusy(false));
  }
  return (
    <Count aria-label={`How many: ${title}`} aria-busy={isBusy} from={1} to={most} value={quantity} onChange={choose} />
  );
}

function Empty() {
  return (
    <Notice title="Your basket is empty">
      <p class="buttons">
        <ButtonLink to="/">See all events</ButtonLink>
        {session().bought !== undefined && <QuietLink to="/confirmation">Your last order</QuietLink>}
      </p>
    </Notice>
  );
}

export const loadingBasket = <Loading>Loading your basket …</Loading>;

/** The time is over. Shown wherever the buyer is when it happens. */
export function Expired() {
  const { eventId } = session();
  const chooseAgain = (): void => {
    forgetBasket();
    navigate(eventId === undefined ? '/' : `/events/${eventId}`);
  };
  return (
    <Notice tone="warning" title="Your time ran out">
      <p>We hold tickets for 15 minutes. Yours are back on sale, and you have not been charged.</p>
      <Button onClick={chooseAgain}>Choose again</Button>
    </Notice>
  );
}
