import { config } from '../../site/browser/state/config.ts';
import { officeCall } from './api.ts';
import type { Till } from './till.ts';

/** The ways to pay that a till offers, each with its key. */
export const tenders = [
  { kind: 'cash', title: 'Cash', key: 'c' },
  { kind: 'terminal', title: 'Card terminal', key: 't' },
  { kind: 'other', title: 'Other', key: 'o' },
] as const;
export type Tender = (typeof tenders)[number]['kind'];

/** Tickets of a price: so many, or these seats. */
export interface SaleLine {
  readonly priceId: number;
  readonly quantity: number;
  readonly seats: readonly string[];
}

export interface Sale {
  readonly lines: readonly SaleLine[];
  /** Whether the seats are numbered: then the service chooses the best ones for a line without seats. */
  readonly isSeated: boolean;
  readonly tender: Tender;
  /** What the buyer handed over; null if nobody typed it. */
  readonly received: number | null;
  readonly till: Till;
}

export interface Sold {
  readonly order_id: number;
  readonly total: number;
  readonly currency: string;
  readonly tickets: readonly object[];
  readonly change?: number | null;
}

/** What makes a sale happen once: every attempt with the key is the same sale. */
interface OneSale {
  readonly key: string;
  /** Nothing was sold, and the next attempt is another sale. */
  readonly onCancelled: () => void;
}

/** Sells in three steps: the basket of the counter, its tickets, and the checkout with the tender. */
export async function sell(
  { lines, isSeated, tender, received, till }: Sale,
  { key, onCancelled }: OneSale,
): Promise<Sold> {
  const call = <Answer>(path: string, step: string, body: object) =>
    officeCall<Answer>('POST', `/v1/baskets${path}`, { body, idempotencyKey: `${key}-${step}` });
  const { id } = await call<{ readonly id: string }>('', 'open', { org: config().orgId, channel: 'counter' });
  try {
    if (isSeated) {
      const items = lines.map(({ priceId, quantity, seats }) => ({
        price_id: priceId,
        ...(seats.length > 0 ? { seats } : { quantity }),
      }));
      await call(`/${id}/seats`, 'seats', { items });
    } else {
      for (const { priceId, quantity } of lines) {
        await call(`/${id}/items`, `item-${priceId}`, { price_id: priceId, quantity });
      }
    }
    const handled = { station: till.station || null, operator: till.operator || null };
    return await call<Sold>(`/${id}/checkout`, 'pay', {
      tender: { kind: tender, ...handled, ...(received !== null && { received }) },
    });
  } catch (error) {
    // A basket that was sold after all, with an answer that was lost, cannot be cancelled: the next attempt gets that answer.
    await officeCall('DELETE', `/v1/baskets/${id}`).then(onCancelled, () => undefined);
    throw error;
  }
}
