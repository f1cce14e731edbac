import { type Holder, isTicketLine, type LineItem, lineTickets } from './line-item.ts';

/** The name of a holder as it is on the ticket; null if it is unknown. */
export function holderName({ firstName, lastName }: Holder): string | null {
  const name = `${firstName ?? ''} ${lastName ?? ''}`.trim();
  return name === '' ? null : name;
}

/** Whether nothing is known of the holder. A list of holders can leave out a ticket in this way. */
export function isUnknownHolder(holder: Holder): boolean {
  return holderName(holder) === null && holder.memberId === null;
}

export type HoldersProblem =
  | { readonly reason: 'too_many_holders'; readonly holders: number; readonly tickets: number }
  | { readonly reason: 'no_holder_names' };

/** Returns why a line cannot have its holders; undefined if it can. */
export function holdersProblem(line: LineItem): HoldersProblem | undefined {
  const { holders, holderNames } = line;
  const tickets = lineTickets(line);
  if (holders.length > tickets) return { reason: 'too_many_holders', holders: holders.length, tickets };
  const isNamed = holders.some((holder) => holderName(holder) !== null);
  return isNamed && holderNames === 'none' ? { reason: 'no_holder_names' } : undefined;
}

/** The first line whose price requires the name of every holder, and that lacks one. */
export function lineWithoutNames(lines: readonly LineItem[]): LineItem | undefined {
  return lines.find((line) => {
    const named = line.holders.filter((holder) => holderName(holder) !== null).length;
    return isTicketLine(line) && line.holderNames === 'required' && named < lineTickets(line);
  });
}

/** The lines of a basket without the people that its tickets are for. */
export function withoutHolders(lines: readonly LineItem[]): readonly LineItem[] {
  return lines.map((line) => ({ ...line, holders: [] }));
}
