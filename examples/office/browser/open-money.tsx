import { Link } from '../../site/browser/parts/link.tsx';
import { WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { day, money } from '../../site/browser/state/format.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { everyPage } from './api.ts';
import type { OrderRefund } from './resources.ts';

/** A refund of any order that staff hand over. */
interface RefundToReturn extends OrderRefund {
  readonly order_id: number;
  /** Null for an order of memberships only. */
  readonly event_id: string | null;
  readonly currency: string;
}

/** An invoice that is due and not paid. */
interface OverdueOrder {
  readonly order_id: number;
  readonly outstanding: number;
  readonly currency: string;
  readonly due_unix: number;
}

export const refundsToReturn = (): Promise<readonly RefundToReturn[]> =>
  everyPage<RefundToReturn>('/v1/orders/to_return?limit=200');

const load = () => Promise.all([refundsToReturn(), everyPage<OverdueOrder>('/v1/orders/overdue?limit=200')]);

/** What the counter owes, and what is owed to it: refunds that somebody has to hand over, and invoices that are overdue. */
export function OpenMoney({ timeZone }: { readonly timeZone: string }) {
  const loaded = useLoaded(load, []);
  return (
    <WhenLoaded of={loaded} what="what is open">
      {([refunds, invoices]) => (
        <>
          <h2>To be handed over</h2>
          {refunds.length === 0 && <p>Nothing</p>}
          <ul class="lines">
            {refunds.map(({ refund_id, order_id, to_return, currency, created, reason }) => (
              <li key={refund_id} class="line">
                <span>
                  <Link to={`/office/orders/${order_id}`}>
                    {money(to_return, currency)}, order {order_id}
                  </Link>
                  <span class="hint">{[day(created, timeZone), reason].filter(Boolean).join(' · ')}</span>
                </span>
              </li>
            ))}
          </ul>
          <h2>Overdue invoices</h2>
          {invoices.length === 0 && <p>None</p>}
          <ul class="lines">
            {invoices.map(({ order_id, outstanding, currency, due_unix }) => (
              <li key={order_id} class="line">
                <span>
                  <Link to={`/office/orders/${order_id}`}>
                    {money(outstanding, currency)}, order {order_id}
                  </Link>
                  <span class="hint">due {day(due_unix, timeZone)}</span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </WhenLoaded>
  );
}
