import { Link } from '../parts/link.tsx';
import { Notice, WhenLoaded } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { Tickets } from '../parts/ticket.tsx';
import { boughtOrder } from '../state/basket.ts';
import { event } from '../state/catalogue.ts';
import { money, tickets } from '../state/format.ts';
import { useLoaded } from '../state/use-loaded.ts';

/** The order with its tickets. A reload shows it again. */
export function ConfirmationPage() {
  const bought = useLoaded(async () => {
    const order = await boughtOrder();
    return order && { order, event: await event(order.event_id) };
  }, []);
  return (
    <Page title="See you there!">
      <WhenLoaded of={bought} what="your tickets">
        {(found) =>
          found === undefined ? (
            <Notice title="There is no order in this tab">
              <Link to="/my-tickets" class="button">
                My tickets
              </Link>
            </Notice>
          ) : (
            <>
              <Notice tone="good" title="Your order is confirmed">
                <p>
                  Order {found.order.order_id}, {tickets(found.order.tickets.length)},{' '}
                  {money(found.order.total, found.order.currency)}. Show these codes at the gate.
                </p>
              </Notice>
              <Tickets
                tickets={found.order.tickets}
                eventTitle={found.event.title}
                when={found.event.formatted_full_event_start_date}
              />
              <div class="action buttons">
                <button type="button" class="button quiet" onClick={() => print()}>
                  Print
                </button>
                <Link to="/" class="button quiet">
                  More events
                </Link>
              </div>
            </>
          )
        }
      </WhenLoaded>
    </Page>
  );
}
