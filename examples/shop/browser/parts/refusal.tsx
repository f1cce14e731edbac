import type { ComponentChildren } from 'preact';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { Button } from '../../../site/browser/parts/button.tsx';
import { ButtonLink } from '../../../site/browser/parts/link.tsx';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import type { RefusedSeats } from '../../../site/browser/seats/resources.ts';
import { seatsText } from '../../../site/browser/state/format.ts';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { ApiError } from '../../../site/browser/state/request.ts';
import { emptyBasket } from '../state/basket.ts';

interface RefusalProps {
  readonly error: unknown;
  /** What the page knows better than the error, such as how many are left. */
  readonly text?: string | undefined;
  readonly onEmptied: () => void;
  /** Seats that the buyer may take instead. */
  readonly onInstead?: (seats: readonly string[]) => void;
  readonly children?: ComponentChildren;
}

/** Why something was not added to the basket, and what the buyer can do about it. */
export function Refusal({ error, text, onEmptied, onInstead, children }: RefusalProps) {
  if (error === undefined) return null;
  const refused = refusedSeats(error);
  return (
    <Notice tone="bad">
      <p>{text ?? refusalText(error)}</p>
      {onInstead && refused.instead.length > 0 && (
        <p class="buttons">
          {refused.instead.map((seats) => (
            <Button key={seats.join()} onClick={() => onInstead(seats)}>
              Take {seatsText(seats)}
            </Button>
          ))}
        </p>
      )}
      {hasCode(error, 'event_mismatch') && (
        <p class="buttons">
          <ButtonLink to="/basket">Go to the basket</ButtonLink>
          <ActionButton class="button quiet" act={() => emptyBasket().then(onEmptied)}>
            Empty the basket
          </ActionButton>
        </p>
      )}
      {children}
    </Notice>
  );
}

/** The seats that the API has refused, and those that it offers instead. */
export function refusedSeats(error: unknown): RefusedSeats {
  return (error instanceof ApiError ? error.seats : undefined) ?? { seats: [], instead: [] };
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
