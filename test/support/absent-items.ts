import { sumOf } from '../../shared/domain/money.ts';

/** Items that docs/costs.md counts and the transaction of a test does not have: how many, by the name of what they are. */
export type AbsentItems = Readonly<Record<string, number>>;

/** The items of a transaction, and those that it would have at its largest. */
export const withAbsent = (items: number, absent: AbsentItems): number => items + sumOf(Object.values(absent));

/** Of a checkout by an API key, whose prices have no limit for members and persons, and whose event is not cancelled meanwhile. */
export const absentOfPlainCheckout: AbsentItems = {
  clientAddress: 1,
  receipt: 1,
  hintOfRefund: 1,
  requestOfRefund: 1,
  ticketsOfMembers: 1,
  ticketsOfPerson: 1,
};
