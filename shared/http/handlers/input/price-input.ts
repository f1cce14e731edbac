import { toThousandths } from '../../../domain/money.ts';
import { chargedDecimals, unchargeable } from '../../../domain/prices/amounts.ts';
import { priceOfId } from '../../../domain/prices/price.ts';
import { problem, referenceMissing } from '../../problem.ts';

interface Amounts {
  readonly price?: number | undefined;
  readonly rebate?: number | undefined;
  readonly service_fee?: number | undefined;
  readonly service_tax?: number | undefined;
  readonly tax_rate?: number | null | undefined;
  readonly self_cancel?: { readonly keep_percent: number } | null | undefined;
}

/** What a schema cannot say about amounts: how many decimals they may have. */
export function checkAmounts(
  { price, rebate, service_fee, service_tax, tax_rate, self_cancel }: Amounts,
  currency: string,
): void {
  const amounts = { price: price ?? null, rebate: rebate ?? null, service_fee: service_fee ?? null };
  const param = unchargeable({ ...amounts, service_tax: service_tax ?? null }, currency);
  if (param !== undefined) {
    throw problem('parameter_invalid', `The parameter ${param} ${chargedDecimals(currency)}`, { param });
  }
  if (tax_rate != null && toThousandths(tax_rate) === undefined) {
    const message = 'The parameter tax_rate must have at most three decimals.';
    throw problem('parameter_invalid', message, { param: 'tax_rate' });
  }
  if (self_cancel != null && toThousandths(self_cancel.keep_percent) === undefined) {
    const message = 'The parameter self_cancel.keep_percent must have at most three decimals.';
    throw problem('parameter_invalid', message, { param: 'self_cancel.keep_percent' });
  }
}

/** An id of another event names nothing here. */
export function indexInEvent(id: number | undefined, eventId: number): number | undefined {
  const ref = id === undefined ? undefined : priceOfId(id);
  return ref?.eventId === eventId ? ref.index : undefined;
}

/** An id of a pool of another event, or of none, names no pool of this one. */
export function checkPool(poolId: number | null | undefined, eventId: number): void {
  if (poolId != null && indexInEvent(poolId, eventId) === undefined) {
    throw referenceMissing('pool of the event', 'pool_id');
  }
}
