import { type Account, type JournalEntry, negative } from '../journal/entry.ts';
import { localDate } from '../time/local-time.ts';
import type { DocumentLine } from './document.ts';
import { entryLines, paidByOf } from './entry-lines.ts';
import type { SoldLine } from './sold-lines.ts';

/** What the journal has of a day, an account and a tax rate. Signs are those of the journal: revenue is negative. */
export interface AccountingLine {
  /** YYYY-MM-DD in the zone of the organisation. */
  readonly day: string;
  readonly currency: string;
  readonly account: Account;
  /** Null if it is unknown, for fees, and for accounts of money. */
  readonly taxRate: number | null;
  readonly amountMinor: number;
  /** The tax that the amount contains. */
  readonly taxMinor: number;
}

/** Adds entries up. `sold` has the tax rates of what the order of the entry has sold. */
export class AccountingSum {
  readonly #lines = new Map<string, AccountingLine>();
  readonly #timezone: string;

  constructor(timezone: string) {
    this.#timezone = timezone;
  }

  add(entry: JournalEntry, sold: readonly SoldLine[]): void {
    const day = localDate(entry.atUnix, this.#timezone);
    for (const line of [...entryLines(entry, sold).map(revenueOf), ...paidByOf(entry.money).map(moneyOf)]) {
      this.#count({ day, currency: entry.currency, ...line });
    }
  }

  /** By day, currency, account and tax rate. */
  rows(): readonly AccountingLine[] {
    const sorted = [...this.#lines].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([, line]) => line).filter(({ amountMinor, taxMinor }) => amountMinor !== 0 || taxMinor !== 0);
  }

  #count(line: AccountingLine): void {
    const rate = line.taxRate === null ? '' : line.taxRate.toFixed(3).padStart(8, '0');
    const key = [line.day, line.currency, line.account, rate].join('#');
    const known = this.#lines.get(key);
    const amountMinor = (known?.amountMinor ?? 0) + line.amountMinor;
    this.#lines.set(key, { ...line, amountMinor, taxMinor: (known?.taxMinor ?? 0) + line.taxMinor });
  }
}

type AccountMoney = Pick<AccountingLine, 'account' | 'taxRate' | 'amountMinor' | 'taxMinor'>;

const accounts = { price: 'tickets', type: 'memberships' } as const;

function revenueOf({ item, taxRate, grossMinor, taxMinor }: DocumentLine): AccountMoney {
  const amountMinor = negative(grossMinor);
  // In the journal, service tax is an account of its own.
  return item.of === 'price' || item.of === 'type'
    ? { account: accounts[item.of], taxRate, amountMinor, taxMinor: negative(taxMinor) }
    : { account: item.of, taxRate, amountMinor, taxMinor: 0 };
}

const moneyOf = ({ kind, amountMinor }: ReturnType<typeof paidByOf>[number]): AccountMoney => ({
  account: kind,
  taxRate: null,
  amountMinor,
  taxMinor: 0,
});
