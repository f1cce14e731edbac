import { numberIn } from './fields.ts';

/** In thousandths, the smallest part that a currency has: three times 1.10 are 3.3000000000000003 otherwise. */
const exactly = (amount: number): number => Math.round(amount * 1_000) / 1_000;

interface Priced {
  readonly quantity: number;
  readonly price: { readonly total_price: number };
}

export const totalOf = (lines: readonly Priced[]): number =>
  exactly(lines.reduce((sum, { quantity, price }) => sum + quantity * price.total_price, 0));

/** What a buyer has handed over, as staff typed it: null for nothing, NaN for what is no amount. */
export const handedIn = (text: string): number | null => (text.trim() === '' ? null : (numberIn(text) ?? Number.NaN));

/** What goes back to a buyer who has handed over so much; below 0 if it is not enough. */
export const changeOf = (handed: number, total: number): number => exactly(handed - total);
