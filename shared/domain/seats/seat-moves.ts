import type { MapRow } from './seat-map.ts';

interface SeatRef {
  readonly section: string;
  readonly row: string;
  readonly label: string;
}

/** No part of a name contains a slash. Undefined if the name does not have three parts. */
export function parseSeatName(name: string): SeatRef | undefined {
  const [section, row, label, ...rest] = name.split('/');
  return section && row && label && rest.length === 0 ? { section, row, label } : undefined;
}

/** Seats of one row of an event that a change takes or returns. A transaction writes a row once. */
export interface SeatMove {
  readonly eventId: number;
  readonly section: string;
  readonly row: string;
  readonly labels: readonly string[];
}

/** A row as it is stored: who has which seat, and its version. */
export interface TakenRow {
  readonly section: string;
  readonly row: string;
  /** Who has a seat, by its label. Seats that nobody has are not in it. */
  readonly owners: ReadonlyMap<string, string>;
  /** How often the row has changed. */
  readonly version: number;
}

/** A row of the map, and who has its seats now. */
export interface SeenRow {
  readonly row: MapRow;
  readonly taken: TakenRow;
}

/** The rows that were read for a take, by name. */
export type SeenRows = ReadonlyMap<string, SeenRow>;

/** Names a row within its event. */
export const rowName = ({ section, row }: Pick<SeatRef, 'section' | 'row'>): string => `${section}/${row}`;

/** The owner of the seats of a basket, and of the order that has its id. */
export const basketOwner = (basketId: number): string => `b${basketId.toString(36)}`;
/** The owner of the seats that the organisation has closed. */
export const blockOwner = (blockId: number): string => `k${blockId.toString(36)}`;
export const isBlockOwner = (owner: string): boolean => owner.startsWith('k');
/** The owner of the seats of a member: on the members' map, and at events. */
export const memberOwner = (memberId: number): string => `m${memberId.toString(36)}`;
export const isMemberOwner = (owner: string): boolean => owner.startsWith('m');
export const memberIdOf = (owner: string): number => Number.parseInt(owner.slice(1), 36);

/** Whether a seat is sold or held. Blocked seats and those of members are neither. */
export const isSoldOrHeldBy = (owner: string): boolean => owner.startsWith('b');

/** The rows of seats, one move for each. */
export function seatMoves(eventId: number | null, names: Iterable<string>): readonly SeatMove[] {
  const moves = new Map<string, SeatMove>();
  for (const name of names) {
    const ref = parseSeatName(name);
    if (ref === undefined || eventId === null) continue;
    const { section, row, label } = ref;
    const known = moves.get(rowName(ref));
    moves.set(rowName(ref), { eventId, section, row, labels: [...(known?.labels ?? []), label] });
  }
  return [...moves.values()];
}

interface Seated {
  readonly eventId: number | null;
  readonly lines: readonly { readonly seats: readonly string[] }[];
}

/**
 * What a change of a basket takes and returns. It follows from the lines before and after, so no rule can forget a seat. A
 * basket that becomes an order keeps its lines: its seats stay as they are.
 */
export function seatChanges(
  before: Seated,
  after: Seated,
): { readonly takes: readonly SeatMove[]; readonly returns: readonly SeatMove[] } {
  const held = new Set(before.lines.flatMap(({ seats }) => seats));
  const kept = new Set(after.lines.flatMap(({ seats }) => seats));
  return {
    takes: seatMoves(
      after.eventId,
      [...kept].filter((name) => !held.has(name)),
    ),
    returns: seatMoves(
      before.eventId,
      [...held].filter((name) => !kept.has(name)),
    ),
  };
}
