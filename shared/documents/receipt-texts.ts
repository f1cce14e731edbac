import {
  type DocumentLine,
  type DocumentMoney,
  type DocumentRecord,
  type PaidBy,
  taxBreakdown,
} from '../domain/receipts/document.ts';
import type { PlainKey } from './texts/texts.ts';
import type { Writing } from './writing.ts';

/** A row of a table: what it is, quantity, net, tax rate, tax, gross; and what is written below the first. */
export interface Row {
  readonly cells: readonly string[];
  readonly below: string | null;
}

interface Fact {
  readonly label: string;
  readonly value: string;
}

export const titleOf = ({ kind }: Pick<DocumentRecord, 'kind'>, { text }: Writing): string =>
  text(kind === 'receipt' ? 'receipt' : 'creditNote');

export function factsOf(
  { number, issuedUnix, orderId, refersTo }: DocumentRecord,
  timezone: string,
  { text, day }: Writing,
): readonly Fact[] {
  const facts = [
    { label: text('documentNumber'), value: number },
    { label: text('documentDate'), value: day(issuedUnix, timezone) },
    { label: text('documentOrder'), value: String(orderId) },
  ];
  if (refersTo === null) return facts;
  const date = day(refersTo.issuedUnix, timezone);
  return [...facts, { label: text('refersTo'), value: text('receiptOfDate', { number: refersTo.number, date }) }];
}

interface Party {
  readonly heading: string;
  readonly texts: readonly string[];
}

/** The seller, and the buyer if there is one. */
export function partiesOf(
  { seller, buyer }: Pick<DocumentRecord, 'seller' | 'buyer'>,
  { text, country }: Writing,
): readonly Party[] {
  const taxIdOf = ({ taxId }: { readonly taxId: string | null }) =>
    taxId === null ? [] : [text('taxId', { number: taxId })];
  const from = { heading: text('seller'), texts: [seller.name, ...seller.address.split('\n'), ...taxIdOf(seller)] };
  if (buyer === null) return [from];
  const city = [buyer.postcode, buyer.city].filter(Boolean).join(' ');
  const land = buyer.country === null ? null : country(buyer.country);
  const texts = [buyer.company, buyer.name, buyer.address, buyer.address2, city, land].flatMap((line) => line || []);
  const reference = buyer.reference === null ? [] : [text('reference', { reference: buyer.reference })];
  return [from, { heading: text('buyer'), texts: [...texts, ...taxIdOf(buyer), ...reference] }];
}

/** The amounts of a row without the currency, which its heading names. */
function moneyCells(money: DocumentMoney, taxRate: number | null, { currency, writing }: Amounts): readonly string[] {
  const amount = (minor: number): string => writing.amount(minor, currency);
  const rate = taxRate === null ? '–' : writing.percent(taxRate);
  return [amount(money.netMinor), rate, amount(money.taxMinor), amount(money.grossMinor)];
}

interface Amounts {
  readonly currency: string;
  readonly writing: Writing;
}

const headings = ({ currency, writing: { text } }: Amounts): readonly string[] => [
  text('net'),
  text('taxRate'),
  text('tax'),
  text('gross', { currency }),
];

/** Titles are those of the sale. Fees have none of their own. */
function titleOfLine({ item, title }: DocumentLine, { text }: Writing): string {
  if (item.of === 'service_fees') return text('serviceFees');
  if (item.of === 'service_tax') return text('serviceTax');
  return item.of === 'transaction_fee' ? text('transactionFee') : title;
}

export function lineRows({ lines, currency }: DocumentRecord, writing: Writing): readonly [Row, ...Row[]] {
  const { text, dateTime } = writing;
  const amounts = { currency, writing };
  const heading = { cells: [text('description'), text('quantity'), ...headings(amounts)], below: null };
  const rows = lines.map((line) => ({
    cells: [titleOfLine(line, writing), String(line.quantity), ...moneyCells(line, line.taxRate, amounts)],
    below: line.event && `${line.event.title}, ${dateTime(line.event.startUnix, line.event.timezone)}`,
  }));
  return [heading, ...rows];
}

export function breakdownRows({ lines, currency }: DocumentRecord, writing: Writing): readonly [Row, ...Row[]] {
  const amounts = { currency, writing };
  const heading = { cells: [writing.text('byTaxRate'), '', ...headings(amounts)], below: null };
  const rows = taxBreakdown(lines).map((part) => ({
    cells: ['', '', ...moneyCells(part, part.taxRate, amounts)],
    below: null,
  }));
  return [heading, ...rows];
}

type AccountTexts = Readonly<Record<PaidBy['kind'], PlainKey>>;

const paidTexts: AccountTexts = {
  card: 'paidByCard',
  cash: 'paidInCash',
  terminal: 'paidAtTerminal',
  bank: 'paidByTransfer',
  other: 'paidOtherwise',
  receivable: 'toBePaid',
  disputes: 'disputed',
};

const returnedTexts: AccountTexts = {
  ...paidTexts,
  card: 'returnedToCard',
  cash: 'returnedInCash',
  terminal: 'returnedAtTerminal',
  bank: 'returnedByTransfer',
  other: 'returnedOtherwise',
};

export function paidRows({ kind, paidBy, currency }: DocumentRecord, { text, money }: Writing): readonly Fact[] {
  const texts = kind === 'receipt' ? paidTexts : returnedTexts;
  return paidBy.map((paid) => ({ label: text(texts[paid.kind]), value: money(paid.amountMinor, currency) }));
}
