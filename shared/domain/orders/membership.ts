import type { KeptMoney, TicketMoney } from './ticket-money.ts';
import type { TicketStatus } from './ticket-status.ts';

/** A membership at the time of its sale. The member itself is a row of its own; only its name here is personal data. */
export interface OrderMembership extends TicketMoney, KeptMoney {
  readonly memberId: number;
  readonly memberNumber: string | null;
  readonly barcode: string | null;
  readonly typeId: number;
  readonly typeTitle: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** When the term that was sold ends; null if it does not end. */
  readonly expiresUnix: number | null;
  readonly termId: number;
  /** The line of the basket. All memberships of a line, such as those of a family, are refunded together. */
  readonly lineId: number;
  /** Whether it was taken from the capacity of its type. */
  readonly ownStock: boolean;
  readonly status: TicketStatus;
  /** The types to whose capacity the places of earlier terms returned, when cancel-member ended the member with this one. Absent if none did. */
  readonly returnedPlaces?: readonly number[] | undefined;
  /** Whether its own place returned before it ended, with a later term (`returnedPlaces` there). Absent if it did not. */
  readonly placeReturned?: true | undefined;
  /** The plan by which its line is paid in instalments; absent if it was paid at once. */
  readonly planId?: number | null | undefined;
  /** The first second after the period of withdrawal. Absent if it was sold without one. */
  readonly withdrawalEndsUnix?: number | undefined;
}

/** The ids of an order's terms are the last of the 63 numbers after its own. An order with memberships has at most 10 tickets. */
const firstTerm = 60;

export function termIdOf(orderId: number, index: number): number {
  return orderId + firstTerm + index;
}

/** The named memberships, and those of the same lines. */
export function withWholeLines(
  memberships: readonly OrderMembership[],
  memberIds: readonly number[],
): readonly OrderMembership[] {
  const lines = new Set(memberships.filter(({ memberId }) => memberIds.includes(memberId)).map(({ lineId }) => lineId));
  return memberships.filter(({ lineId }) => lines.has(lineId));
}
