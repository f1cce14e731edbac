import { isMembershipLine, isTicketLine, type LineItem } from '../baskets/line-item.ts';
import { lineItemUnits } from '../baskets/money.ts';
import { sumOf } from '../money.ts';
import { ticketPriceMinor } from '../orders/ticket-money.ts';
import type { DocumentEvent, DocumentItem, DocumentLine } from './document.ts';

/**
 * A line that an entry of the journal may be about. The entry alone says amounts; the line says title and tax rate, and how a price is
 * divided that was sold with two of them.
 */
export type SoldLine = Omit<DocumentLine, 'netMinor'>;

/** What an order has sold, from the lines of its basket: they keep titles and tax rates as they were when it was filled. */
export function soldLines(
  lines: readonly LineItem[],
  { currency, event }: { readonly currency: string; readonly event: DocumentEvent | null },
): readonly SoldLine[] {
  const sold = lines.flatMap((line) => {
    const item = itemOf(line);
    if (item === undefined) return [];
    const units = lineItemUnits(line, currency);
    return [
      {
        item,
        title: isTicketLine(line) ? `${line.categoryTitle} · ${line.title}` : line.title,
        event: isTicketLine(line) ? event : null,
        quantity: units.length,
        taxRate: line.taxRate,
        grossMinor: sumOf(units.map((unit) => ticketPriceMinor(unit) - unit.discountMinor)),
        taxMinor: sumOf(units.map(({ taxMinor }) => taxMinor)),
      },
    ];
  });
  return sold
    .filter((line, index) => sold.findIndex((other) => isSameLine(other, line)) === index)
    .map((line) => {
      const same = sold.filter((other) => isSameLine(other, line));
      const sum = (amountOf: (one: SoldLine) => number) => sumOf(same.map(amountOf));
      return {
        ...line,
        quantity: sum(({ quantity }) => quantity),
        grossMinor: sum(({ grossMinor }) => grossMinor),
        taxMinor: sum(({ taxMinor }) => taxMinor),
      };
    });
}

function itemOf(line: LineItem): DocumentItem | undefined {
  if (isTicketLine(line)) return { of: 'price', id: line.priceId };
  return isMembershipLine(line) ? { of: 'type', id: line.soldTypeId } : undefined;
}

export function isSameItem(one: DocumentItem, other: DocumentItem): boolean {
  return one.of === other.of && ('id' in one ? one.id : 0) === ('id' in other ? other.id : 0);
}

/** Tickets of a price are two lines if its title or its tax rate changed between them. */
export function isSameLine(
  one: Pick<SoldLine, 'item' | 'title' | 'taxRate'>,
  other: Pick<SoldLine, 'item' | 'title' | 'taxRate'>,
): boolean {
  return isSameItem(one.item, other.item) && one.title === other.title && one.taxRate === other.taxRate;
}
