import { config } from '../../site/browser/state/config.ts';
import { officeCall } from './api.ts';

/** The ways to pay that one press chooses, each with its key. */
export const tenders = [
  { kind: 'cash', title: 'Cash', key: 'c' },
  { kind: 'terminal', title: 'Card terminal', key: 't' },
  { kind: 'bank_transfer', title: 'Bank transfer', key: 'b' },
  { kind: 'other', title: 'Other', key: 'o' },
] as const;

/** How a sale is paid, as the API takes it. The office's server adds who is signed in. */
export type Tender =
  | { readonly kind: (typeof tenders)[number]['kind']; readonly received?: number }
  | { readonly kind: 'complimentary'; readonly reason: string }
  | { readonly kind: 'invoice'; readonly due_unix: number; readonly valid: 'now' | 'when_paid' };

/** Who owes an invoice. */
export interface Debtor {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** Tickets of a price: so many, or these seats. */
export interface SaleLine {
  readonly priceId: number;
  readonly quantity: number;
  readonly seats: readonly string[];
}

export interface Sale {
  /** The same for every attempt: it is sold once, whatever happens to the answers. */
  readonly key: string;
  /** What staff read of it. */
  readonly title: string;
  readonly lines: readonly SaleLine[];
  /** Whether the seats are numbered: then the service chooses the best ones for a line without seats. */
  readonly isSeated: boolean;
  readonly tender: Tender;
  readonly customer?: Debtor | undefined;
  readonly station: string;
}

export interface Sold {
  readonly order_id: number;
  readonly total: number;
  readonly currency: string;
  readonly tickets: readonly object[];
  readonly change?: number | null;
}

/** Nobody knows whether it was sold: the answer was lost, and the basket cannot be cancelled. Only the same sale may be tried again. */
export class UnclearSale extends Error {
  override readonly name = 'UnclearSale';
}

/** Sells in three steps: the basket of the counter, its tickets, and the checkout with the tender. */
export async function sell({ key, lines, isSeated, tender, customer, station }: Sale): Promise<Sold> {
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
    return await call<Sold>(`/${id}/checkout`, 'pay', {
      tender: { ...tender, station: station || null },
      ...(customer && { customer }),
    });
  } catch (error) {
    // A basket that was sold after all, with an answer that was lost, cannot be cancelled.
    await officeCall('DELETE', `/v1/baskets/${id}`).catch((cause: unknown) => {
      throw new UnclearSale('The answer of the service was lost.', { cause });
    });
    throw error;
  }
}

const stored = 'office:unclear-sale';

/** The sale of this tab that nobody knows the end of. It outlives a reload, which is what staff try first. */
export function readUnclear(): Sale | undefined {
  const text = sessionStorage.getItem(stored);
  return text === null ? undefined : (JSON.parse(text) as Sale);
}

export function saveUnclear(sale: Sale | undefined): void {
  if (sale === undefined) sessionStorage.removeItem(stored);
  else sessionStorage.setItem(stored, JSON.stringify(sale));
}
