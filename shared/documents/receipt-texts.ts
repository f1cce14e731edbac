import { moneyText } from '../domain/money.ts';
import { countryName } from '../domain/organisations/country-names.ts';
import { type DocumentMoney, type DocumentRecord, type PaidBy, taxBreakdown } from '../domain/receipts/document.ts';
import { writtenTime } from '../domain/time/local-time.ts';

/** A row of a table: what it is, quantity, net, tax rate, tax, gross; and what is written below the first. */
export interface Row {
  readonly cells: readonly string[];
  readonly below: string | null;
}

interface Fact {
  readonly label: string;
  readonly value: string;
}

export const titleOf = ({ kind }: Pick<DocumentRecord, 'kind'>): string =>
  kind === 'receipt' ? 'Receipt' : 'Credit note';

export function factsOf({ number, issuedUnix, orderId, refersTo }: DocumentRecord, timezone: string): readonly Fact[] {
  const dateOf = (unix: number): string => {
    const { date, month, year } = writtenTime(unix, timezone);
    return `${date} ${month} ${year}`;
  };
  return [
    { label: 'Number', value: number },
    { label: 'Date', value: dateOf(issuedUnix) },
    { label: 'Order', value: String(orderId) },
    ...(refersTo === null
      ? []
      : [{ label: 'Refers to', value: `Receipt ${refersTo.number} of ${dateOf(refersTo.issuedUnix)}` }]),
  ];
}

interface Party {
  readonly heading: string;
  readonly texts: readonly string[];
}

/** The seller, and the buyer if there is one. */
export function partiesOf({ seller, buyer }: Pick<DocumentRecord, 'seller' | 'buyer'>): readonly Party[] {
  const taxIdOf = ({ taxId }: { readonly taxId: string | null }) => (taxId === null ? [] : [`Tax id ${taxId}`]);
  const from = { heading: 'From', texts: [seller.name, ...seller.address.split('\n'), ...taxIdOf(seller)] };
  if (buyer === null) return [from];
  const city = [buyer.postcode, buyer.city].filter(Boolean).join(' ');
  const country = buyer.country === null ? null : (countryName(buyer.country) ?? buyer.country);
  const texts = [buyer.company, buyer.name, buyer.address, buyer.address2, city, country].flatMap((text) => text || []);
  const reference = buyer.reference === null ? [] : [`Reference ${buyer.reference}`];
  return [from, { heading: 'To', texts: [...texts, ...taxIdOf(buyer), ...reference] }];
}

const rateText = (taxRate: number | null): string => (taxRate === null ? '–' : `${taxRate} %`);

/** The amounts of a row without the currency, which its heading names. */
function moneyCells(money: DocumentMoney, taxRate: number | null, currency: string): readonly string[] {
  const amount = (minor: number): string => moneyText(minor, currency).slice(0, -currency.length - 1);
  return [amount(money.netMinor), rateText(taxRate), amount(money.taxMinor), amount(money.grossMinor)];
}

export function lineRows({ lines, currency }: DocumentRecord): readonly [Row, ...Row[]] {
  const heading = { cells: ['Description', 'Quantity', 'Net', 'Tax rate', 'Tax', `Gross ${currency}`], below: null };
  const rows = lines.map((line) => ({
    cells: [line.title, String(line.quantity), ...moneyCells(line, line.taxRate, currency)],
    below: line.event && `${line.event.title}, ${writtenTime(line.event.startUnix, line.event.timezone).full}`,
  }));
  return [heading, ...rows];
}

export function breakdownRows({ lines, currency }: DocumentRecord): readonly [Row, ...Row[]] {
  const heading = { cells: ['By tax rate', '', 'Net', 'Tax rate', 'Tax', `Gross ${currency}`], below: null };
  const rows = taxBreakdown(lines).map((part) => ({
    cells: ['', '', ...moneyCells(part, part.taxRate, currency)],
    below: null,
  }));
  return [heading, ...rows];
}

const accountNames: Readonly<Record<PaidBy['kind'], string>> = {
  card: 'Card',
  cash: 'Cash',
  terminal: 'Card terminal',
  bank: 'Bank transfer',
  other: 'Other',
  receivable: 'To be paid',
  disputes: 'Disputed',
};

export function paidRows({ kind, paidBy, currency }: DocumentRecord): readonly Fact[] {
  const verb = kind === 'receipt' ? 'Paid by' : 'Returned by';
  return paidBy.map((paid) => ({
    label: paid.kind === 'receivable' ? accountNames.receivable : `${verb} ${accountNames[paid.kind].toLowerCase()}`,
    value: moneyText(paid.amountMinor, currency),
  }));
}
