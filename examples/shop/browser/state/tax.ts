import type { Price } from '../../../site/browser/resources.ts';
import type { BasketItem } from '../resources.ts';

type TaxedItem = Pick<BasketItem, 'price_id' | 'quantity' | 'unit_price' | 'adjustments'>;
type TaxedPrice = Pick<Price, 'price_id' | 'tax_rate' | 'service_tax'>;

/** The tax that the lines of a basket contain: that of the prices, at their rates, and that of the fees. */
export function taxOf(items: readonly TaxedItem[], prices: readonly TaxedPrice[]): number {
  const taxes = items.map(({ price_id, quantity, unit_price, adjustments }) => {
    const price = prices.find((one) => one.price_id === price_id);
    if (price === undefined) return 0;
    const paid = adjustments.reduce((sum, { amount }) => sum + amount, unit_price);
    const rate = price.tax_rate ?? 0;
    return quantity * ((paid * rate) / (100 + rate) + price.service_tax);
  });
  return taxes.reduce((sum, tax) => sum + tax, 0);
}
