import { type Holder, isMembershipLine, isTicketLine, type LineItem, linePersons, lineTickets } from './line-item.ts';

/** The name of a holder as it is on the ticket; null if it is unknown. */
export function holderName({ firstName, lastName }: Holder): string | null {
  const name = `${firstName ?? ''} ${lastName ?? ''}`.trim();
  return name === '' ? null : name;
}

/** A holder as a request names one. */
export interface GivenHolder extends Holder {
  /** The name of the member, for a holder who is named by the membership alone. */
  readonly memberName?: Pick<Holder, 'firstName' | 'lastName'> | undefined;
}

/** The holders of a line. A price without names keeps none, also not those of members. */
export function holdersOf(given: readonly GivenHolder[], { holderNames }: Pick<LineItem, 'holderNames'>): Holder[] {
  return given.map(({ memberName, ...holder }) =>
    holderNames === 'none' || holderName(holder) !== null ? holder : { ...holder, ...memberName },
  );
}

/** Whether nothing is known of the holder. A list of holders can leave out a ticket in this way. */
export function isUnknownHolder(holder: Holder): boolean {
  return holderName(holder) === null && holder.memberId === null;
}

export type HoldersProblem =
  | { readonly reason: 'too_many_holders'; readonly holders: number; readonly tickets: number }
  | { readonly reason: 'no_holder_names' }
  /** Only a person who becomes a member has an email address and a date of birth. */
  | { readonly reason: 'holder_is_no_member'; readonly index: number }
  /** A membership names all of its people, or, if it is for one, nobody: then the buyer becomes the member. */
  | { readonly reason: 'other_persons'; readonly holders: number; readonly persons: number }
  | { readonly reason: 'person_unnamed' | 'person_is_member'; readonly index: number }
  /** The people of a renewal are known. */
  | { readonly reason: 'renewal_has_members' };

/** Returns why a line cannot have its holders; undefined if it can. */
export function holdersProblem(line: LineItem): HoldersProblem | undefined {
  if (isMembershipLine(line)) return personsProblem(line);
  const { holders, holderNames } = line;
  const member = holders.findIndex(({ emailAddress, dateOfBirth }) => emailAddress != null || dateOfBirth != null);
  if (member !== -1) return { reason: 'holder_is_no_member', index: member };
  const tickets = lineTickets(line);
  if (holders.length > tickets) return { reason: 'too_many_holders', holders: holders.length, tickets };
  const isNamed = holders.some((holder) => holderName(holder) !== null);
  return isNamed && holderNames === 'none' ? { reason: 'no_holder_names' } : undefined;
}

function personsProblem(line: LineItem): HoldersProblem | undefined {
  const { holders, nextTerm } = line;
  if (nextTerm !== null) return holders.length > 0 ? { reason: 'renewal_has_members' } : undefined;
  const persons = linePersons(line);
  if (holders.length !== persons && !(holders.length === 0 && persons === 1)) {
    return { reason: 'other_persons', holders: holders.length, persons };
  }
  const member = holders.findIndex(({ memberId }) => memberId !== null);
  if (member !== -1) return { reason: 'person_is_member', index: member };
  const unnamed = holders.findIndex(({ firstName, lastName }) => !firstName || !lastName);
  return unnamed === -1 ? undefined : { reason: 'person_unnamed', index: unnamed };
}

/** The first line whose price requires the name of every holder, and that lacks one. */
function lineWithoutNames(lines: readonly LineItem[]): LineItem | undefined {
  return lines.find((line) => {
    const named = line.holders.filter((holder) => holderName(holder) !== null).length;
    return isTicketLine(line) && line.holderNames === 'required' && named < lineTickets(line);
  });
}

/** The lines of a basket without the people that they are for. */
export function withoutHolders(lines: readonly LineItem[]): readonly LineItem[] {
  return lines.map((line) => ({ ...line, holders: [] }));
}

type LineRefusal =
  | { readonly reason: 'holder_missing'; readonly line: LineItem }
  | { readonly reason: 'companion_only'; readonly seat: string };

/** Why lines that are in a basket cannot be sold as they are: a name is missing, or a companion seat lost its wheelchair place. */
export function lineRefusal(lines: readonly LineItem[]): LineRefusal | undefined {
  const unnamed = lineWithoutNames(lines);
  if (unnamed !== undefined) return { reason: 'holder_missing', line: unnamed };
  const seats = new Set(lines.flatMap((line) => line.seats));
  const alone = lines.find(({ neededSeats }) => neededSeats.some((seat) => !seats.has(seat)));
  return alone && { reason: 'companion_only', seat: alone.seats[0] ?? '' };
}
