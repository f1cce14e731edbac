import { type MoneyAccount, moneyAccounts, type NewEntry, type SoldMoney } from '../journal/entry.ts';
import { allocate, sumOf } from '../money.ts';
import type { DocumentItem, DocumentLine, PaidBy } from './document.ts';
import { isSameItem, type SoldLine } from './sold-lines.ts';

/** What an entry says of revenue: positive for a sale. */
export function entryTotalMinor({ prices, types, transactionFeeMinor }: NewEntry): number {
  const ofSold = [...prices, ...types].map((sold) => sold.netMinor + sold.serviceFeeMinor + sold.serviceTaxMinor);
  return sumOf(ofSold) + transactionFeeMinor;
}

/**
 * The lines of an entry: one for each price and membership type that it names, and one for each kind of fee. So a document says what the
 * journal says, to the smallest unit. `sold` has titles and tax rates.
 */
export function entryLines(entry: NewEntry, sold: readonly SoldLine[]): readonly DocumentLine[] {
  const { prices, types, transactionFeeMinor, currency } = entry;
  const units = [...prices, ...types];
  const feeLines = [
    feeLine('service_fees', units, ({ serviceFeeMinor }) => serviceFeeMinor),
    feeLine('service_tax', units, ({ serviceTaxMinor }) => serviceTaxMinor),
    feeLine('transaction_fee', [transactionFeeMinor], (feeMinor) => feeMinor),
  ];
  return [
    ...prices.flatMap((price) => dividedLines(price, itemLines({ of: 'price', id: price.priceId }, sold), currency)),
    ...types.flatMap((type) => dividedLines(type, itemLines({ of: 'type', id: type.typeId }, sold), currency)),
    ...feeLines.filter(({ grossMinor }) => grossMinor !== 0),
  ];
}

/** The lines of an item, one for each title and tax rate. Never none: no order may stop the numbers of an organisation. */
function itemLines(item: DocumentItem, sold: readonly SoldLine[]): readonly SoldLine[] {
  const own = sold.filter((line) => isSameItem(line.item, item));
  const unknown = { item, title: item.of === 'price' ? 'Tickets' : 'Memberships', event: null, taxRate: null };
  return own.length > 0 ? own : [{ ...unknown, quantity: 0, grossMinor: 0, taxMinor: 0 }];
}

/** A price has several lines only if its tax rate or its title changed while the basket was being filled. Then they divide what the entry says. */
function dividedLines(sold: SoldMoney, lines: readonly SoldLine[], currency: string): readonly DocumentLine[] {
  const parts = (amount: number, weightOf: (line: SoldLine) => number): readonly number[] => {
    const weights = lines.map((line) => Math.max(0, weightOf(line)));
    return allocate(Math.abs(amount), weights, currency).map((part) => (amount < 0 ? 0 - part : part));
  };
  const quantities = parts(sold.quantity, ({ quantity }) => quantity);
  const gross = parts(sold.netMinor, ({ grossMinor }) => grossMinor);
  const taxes = parts(sold.taxMinor, ({ taxMinor }) => taxMinor);
  const divided = lines.map(({ item, title, event, taxRate }, index) => {
    const [quantity = 0, grossMinor = 0, taxMinor = 0] = [quantities[index], gross[index], taxes[index]];
    return { item, title, event, taxRate, quantity, netMinor: grossMinor - taxMinor, taxMinor, grossMinor };
  });
  const said = divided.filter(
    ({ quantity, grossMinor, taxMinor }) => quantity !== 0 || grossMinor !== 0 || taxMinor !== 0,
  );
  return said.length > 0 ? said : divided.slice(0, 1);
}

const feeTitles = {
  service_fees: 'Service fees',
  service_tax: 'Service tax',
  transaction_fee: 'Transaction fee',
} as const;

/** The rate of fees is not known. Service tax is tax as a whole. */
function feeLine<Part extends SoldMoney | number>(
  of: keyof typeof feeTitles,
  parts: readonly Part[],
  feeOf: (part: Part) => number,
): DocumentLine {
  const grossMinor = sumOf(parts.map(feeOf));
  const charged = parts.filter((part) => feeOf(part) !== 0);
  const taxMinor = of === 'service_tax' ? grossMinor : 0;
  return {
    item: { of },
    title: feeTitles[of],
    event: null,
    quantity: sumOf(charged.map((part) => (typeof part === 'number' ? Math.sign(part) : part.quantity))),
    taxRate: null,
    netMinor: grossMinor - taxMinor,
    taxMinor,
    grossMinor,
  };
}

/** How the total of an entry is paid or returned. */
export function paidByOf(money: NewEntry['money']): readonly PaidBy[] {
  return moneyAccounts.flatMap((kind: MoneyAccount) => {
    const amountMinor = money[kind] ?? 0;
    return amountMinor === 0 ? [] : [{ kind, amountMinor }];
  });
}
