import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { money } from '../../../site/browser/state/format.ts';
import { hasCode } from '../../../site/browser/state/messages.ts';
import { ApiError } from '../../../site/browser/state/request.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import type { OwnCancellation } from '../resources.ts';
import { call } from '../state/api.ts';
import { dateTime } from '../state/format.ts';
import { signedIn } from '../state/session.ts';

export interface CancelTicketProps {
  readonly ticketId: number;
  /** Such as "ticket 1 of 2". */
  readonly name: string;
  readonly onCancelled: (cancelled: OwnCancellation) => void;
}

const underWay = 'under way';
type Quote = OwnCancellation | typeof underWay | undefined;

/** Gives a ticket back on the terms of its sale. The amount and the hour are the service's own, asked for without changing anything. */
export function CancelTicket({ ticketId, name, onCancelled }: CancelTicketProps) {
  const path = `/v1/tickets/${ticketId}/cancel`;
  const loaded = useLoaded(() => quoteOf(path), [path]);
  const cancel = async (): Promise<void> => {
    onCancelled(await call<OwnCancellation>('POST', path, { body: {}, ...signedIn() }));
  };
  return (
    <WhenLoaded of={loaded} what="what comes back">
      {(quote) => {
        if (quote === undefined) return null;
        if (quote === underWay) return <p>A refund of this ticket is on its way. It is not admitted any more.</p>;
        const title = `Cancel ${name}?`;
        return (
          <ActionButton act={cancel} ask={{ title, text: consequences(quote), yes: deed(quote) }}>
            {deed(quote)}, until {dateTime(quote.until_unix * 1000)}
            <span class="visually-hidden"> ({name})</span>
          </ActionButton>
        );
      }}
    </WhenLoaded>
  );
}

/** Undefined if the ticket cannot be cancelled, such as one that is offered to a friend. */
async function quoteOf(path: string): Promise<Quote> {
  try {
    return await call<OwnCancellation>('POST', path, { body: { dry_run: true }, ...signedIn() });
  } catch (error) {
    if (hasCode(error, 'refund_in_progress')) return underWay;
    if (error instanceof ApiError && error.status === 409) return undefined;
    throw error;
  }
}

const deed = ({ amount, currency }: OwnCancellation): string =>
  amount === 0 ? 'Cancel, with nothing back' : `Cancel and get ${money(amount, currency)} back`;

const consequences = ({ amount, kept, currency }: OwnCancellation) => (
  <>
    <p>The ticket ends at once, and somebody else can buy the place.</p>
    <p>
      {amount === 0 ? 'Nothing comes back.' : `${money(amount, currency)} comes back to how you paid.`}
      {kept > 0 && ` ${money(kept, currency)} is kept, as agreed when you bought.`}
    </p>
  </>
);

/** What a ticket says after it. */
export const cancelledText = ({ amount, currency }: OwnCancellation): string =>
  amount === 0 ? 'Cancelled' : `Cancelled: ${money(amount, currency)} is on its way back to you`;
