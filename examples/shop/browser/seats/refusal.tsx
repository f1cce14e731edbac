import type { ComponentChildren } from 'preact';
import { Link } from '../../../site/browser/parts/link.tsx';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { seatsText } from '../../../site/browser/state/format.ts';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { emptyBasket } from '../state/basket.ts';
import { refusedSeats } from './refused-seats.ts';

interface RefusalProps {
  readonly error: unknown;
  readonly onEmptied: () => void;
  /** Seats that the buyer may take instead. */
  readonly onInstead?: (seats: readonly string[]) => void;
  readonly children?: ComponentChildren;
}

/** Why seats were not added to the basket, and what the buyer can do about it. */
export function SeatRefusal({ error, onEmptied, onInstead, children }: RefusalProps) {
  const refused = refusedSeats(error);
  return (
    <Notice tone="bad">
      <p>{refusalText(error)}</p>
      {onInstead && refused.instead.length > 0 && (
        <p class="buttons">
          {refused.instead.map((seats) => (
            <button type="button" key={seats.join()} class="button" onClick={() => onInstead(seats)}>
              Take {seatsText(seats)}
            </button>
          ))}
        </p>
      )}
      {hasCode(error, 'event_mismatch') && (
        <p class="buttons">
          <Link to="/basket" class="button">
            Go to the basket
          </Link>
          <button type="button" class="button quiet" onClick={() => void emptyBasket().then(onEmptied, () => {})}>
            Empty the basket
          </button>
        </p>
      )}
      {children}
    </Notice>
  );
}

function refusalText(error: unknown): string {
  const { seats } = refusedSeats(error);
  if (hasCode(error, 'seat_taken')) {
    return `Another buyer was faster: ${seatsText(seats)} ${seats.length === 1 ? 'is' : 'are'} taken now. We have taken your choice of ${seats.length === 1 ? 'it' : 'them'} back; choose another seat.`;
  }
  if (hasCode(error, 'leaves_single_seat')) {
    return `${seatsText(seats)} would be left alone, and nobody buys a single seat between others. Move your seats by one:`;
  }
  return messageOf(error);
}
