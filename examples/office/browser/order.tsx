import { useEffect, useState } from 'preact/hooks';
import { Link } from '../../site/browser/parts/link.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { List, Organisation } from '../../site/browser/resources.ts';
import { money, placeOf, secondOf } from '../../site/browser/state/format.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import { LinkToSend } from './link-to-send.tsx';
import { takeMessage } from './message.ts';
import { OrderActions } from './order-actions.tsx';
import { Documents, documentsOf, type OrderDocument } from './order-documents.tsx';
import { InvoiceSection } from './order-invoice.tsx';
import { isOnItsWay, Refunds } from './order-refunds.tsx';
import { OtherSystems } from './other-systems.tsx';
import { nameOf, OrderStatus } from './people.tsx';
import { plansOf } from './plans.ts';
import type { OfficeEvent, OfficeOrder, OrderMoney, OrderRefund } from './resources.ts';

const everyMs = 3_000;

interface LoadedOrder extends OrderMoney {
  readonly documents: readonly OrderDocument[];
  /** Undefined for an order of memberships only, and if the event does not exist any more. */
  readonly event: OfficeEvent | undefined;
}

async function load(orderId: string): Promise<LoadedOrder> {
  const path = `/v1/orders/${orderId}`;
  // The order is read after its refunds, so it shows what a finished one has changed: after that nothing is read again.
  const { data: refunds } = await officeCall<List<OrderRefund>>('GET', `${path}/refunds`);
  const order = await officeCall<OfficeOrder>('GET', path);
  const [documents, plans, event] = await Promise.all([
    documentsOf(orderId),
    plansOf(order.memberships),
    order.event_id === null
      ? undefined
      : officeCall<OfficeEvent>('GET', `/v1/events/${order.event_id}`).catch(() => undefined),
  ]);
  return { order, refunds, documents, event, plans: plans.filter((plan) => plan.order_id === order.order_id) };
}

interface OrderProps {
  readonly orderId: string;
  readonly organisation: Organisation;
}

function mailTextOf({ first_name, order_id, event_title }: OfficeOrder): string {
  const hello = first_name === null || first_name === '' ? 'Hello' : `Hello ${first_name}`;
  const about = event_title === null ? `of your order ${order_id}` : `for ${event_title} (order ${order_id})`;
  return `${hello},\r\n\r\nthis page has everything ${about}:`;
}

/** One order: who bought what, and everything that staff do for its buyer. */
export function OrderPage({ orderId, organisation }: OrderProps) {
  const [changes, setChanges] = useState(0);
  const [message, setMessage] = useState(takeMessage);
  const loaded = useLoaded(() => load(orderId), [orderId, changes]);
  const isWaiting = loaded.state === 'ready' && loaded.value.refunds.some(isOnItsWay);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setChanges((count) => count + 1), everyMs);
    return () => clearTimeout(timer);
  }, [isWaiting, changes]);
  const onChanged = (text: string): void => {
    setMessage(text);
    setChanges((count) => count + 1);
  };
  return (
    <Page title={`Order ${orderId}`}>
      <WhenLoaded of={loaded} what="the order">
        {({ order, refunds, plans, documents, event }) => (
          <>
            <Buyer order={order} event={event} timezone={organisation.timezone} />
            {message !== undefined && (
              <Notice tone="good">
                <p>{message}</p>
              </Notice>
            )}
            <OrderActions key={changes} order={order} refunds={refunds} plans={plans} onChanged={onChanged} />
            <InvoiceSection key={`owed-${changes}`} order={order} onChanged={onChanged} />
            <Refunds {...{ order, refunds, onChanged }} timezone={organisation.timezone} />
            <Documents {...{ orderId, documents, refunds }} timezone={organisation.timezone} />
            <OtherSystems of={order} />
            {order.link && (
              <section class="card">
                <h2>The buyer’s page</h2>
                <LinkToSend
                  link={order.link}
                  label="The page with all tickets of the order, for the buyer only. Receipts and credit notes are not on it: send their PDF."
                  {...(order.email_address !== null && {
                    mail: { to: order.email_address, subject: `Your order ${order.order_id}`, text: mailTextOf(order) },
                  })}
                />
              </section>
            )}
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

/** How an order of the counter is paid. A provider's method, such as card, has no words of its own. */
const paymentWords: Readonly<Partial<Record<string, string>>> = {
  cash: 'paid in cash',
  terminal: 'paid with the card terminal',
  bank_transfer: 'paid by bank transfer',
  other: 'paid in another way',
  complimentary: 'given away',
  invoice: 'sold on an invoice',
};

interface BuyerProps extends Pick<LoadedOrder, 'order' | 'event'> {
  readonly timezone: string;
}

function Buyer({ order, event, timezone }: BuyerProps) {
  const { user_id, email_address, event_id, event_title, order_date, currency, total, refunded, kept, payment_method } =
    order;
  return (
    <section class="card">
      <p>
        {user_id === null ? nameOf(order) : <Link to={`/office/customers/${user_id}`}>{nameOf(order)}</Link>}{' '}
        <OrderStatus order={order} />
        <span class="hint">{email_address}</span>
      </p>
      {event_id !== null && (
        <p>
          <Link to={`/office/events/${event_id}`}>{event_title ?? 'An event that does not exist any more'}</Link>
          {event !== undefined && (
            <span class="hint">
              {[event.formatted_full_event_start_date, placeOf(event)].filter(Boolean).join(' · ')}
            </span>
          )}
          {event?.cancelled_unix && <span class="tag bad">The event is cancelled</span>}
        </p>
      )}
      <p>
        <strong>{money(total, currency)}</strong>
        {refunded > 0 && `, of which ${money(refunded, currency)} went back`}
        {kept > 0 && `, and ${money(kept, currency)} was kept`}
        <span class="hint">
          {secondOf(order_date, timezone)}
          {payment_method !== null && ` · ${paymentWords[payment_method] ?? `paid with ${payment_method}`}`}
        </span>
      </p>
    </section>
  );
}
