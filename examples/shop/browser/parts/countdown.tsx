import { useEffect, useState } from 'preact/hooks';
import { Link } from '../../../site/browser/parts/link.tsx';
import { nowMs } from '../../../site/browser/state/config.ts';
import { tickets } from '../../../site/browser/state/format.ts';
import { isBasketLoading, refreshBasket, useBasket } from '../state/basket.ts';
import { timeUntil } from '../state/format.ts';

const pollMs = 10_000;
/** Screen readers announce the time only at these marks, not every second. */
const announced = [300, 60];

/** How long the tickets in the basket are held. The service decides when the time is over, so the page asks it. */
export function Countdown() {
  const basket = useBasket();
  const [, setTicks] = useState(0);
  const isOpen = basket?.status === 'open' && basket.items.length > 0;
  const left = isOpen ? Math.max(0, Math.ceil(basket.expires_at - nowMs() / 1000)) : 0;

  useEffect(() => {
    if (!isOpen) return;
    const ticking = setInterval(() => setTicks((ticks) => ticks + 1), 1000);
    const ask = (): void => void refreshBasket().catch(() => {});
    const polling = setInterval(ask, pollMs);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(ticking);
      clearInterval(polling);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [isOpen]);

  useEffect(() => {
    // A second later, because the service counts whole seconds.
    if (!isOpen || left > 0) return;
    const asking = setTimeout(() => void refreshBasket().catch(() => {}), 1000);
    return () => clearTimeout(asking);
  }, [isOpen, left]);

  // The place of the line is kept, so nothing moves when the basket is there.
  if (isBasketLoading()) {
    return (
      <aside class="countdown" aria-label="Your basket">
        <Link to="/basket">Your basket</Link>
      </aside>
    );
  }
  if (!isOpen) return null;
  const sold = basket.items.filter(({ price_id }) => price_id !== null);
  const count = sold.reduce((sum, { quantity }) => sum + quantity, 0);
  const mark = announced.findLast((seconds) => left <= seconds);
  return (
    <aside class={left <= 60 ? 'countdown urgent' : 'countdown'} aria-label="Your basket">
      <Link to="/basket">
        {count > 0 ? tickets(count) : 'Your basket is'} held for{' '}
        <span class="time" role="timer" aria-live="off">
          {timeUntil(left)}
        </span>
      </Link>
      <span class="visually-hidden" role="status">
        {mark !== undefined && `Your tickets are held for less than ${mark / 60} more minutes.`}
      </span>
    </aside>
  );
}
