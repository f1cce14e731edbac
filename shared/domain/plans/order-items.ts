import { basketPersons, basketTickets, isMembershipLine, type LineItem } from '../baskets/line-item.ts';

/** DynamoDB writes at most so many items in one transaction. */
const maxItems = 100;
/** The items of the largest order besides its tickets and memberships: 15, and 20 words by which it is found (docs/costs.md). */
const ofOrder = 35;
/** Of a new member: row, number, barcode, pointer, position, term, event and hint. */
const ofNewMember = 8;
/** The search words of all new members. */
const ofWords = 1;
/** Of a renewed one: row, position, term, two events with hints, the hint of its start, and the row of its seat. */
const ofRenewedMember = 9;
/** A type and its category are checked. */
const ofType = 2;
/** The hint at the end of its term. */
const ofLine = 1;
/** The tickets of members and of the person, where they have a limit. */
const ofLimits = 2;
/** A plan, or an auto-renewal: row and hint. */
const ofPlan = 2;
/** Of a renewed member that renews itself already: the hint of its next renewal. An option that renews itself has it with its row. */
const ofRenewalHint = 1;
/** The consent, and the customer at the provider. */
const ofConsent = 2;

/** What is charged after the purchase. */
export interface LaterCharges {
  /** How many lines are paid in instalments. */
  readonly plans: number;
  readonly autoRenews: boolean;
}

/** How many items the memberships of a basket add to the transaction of its order, at most. */
export function itemsOfMemberships(lines: readonly LineItem[], later: LaterCharges | null): number {
  const sold = lines.filter(isMembershipLine);
  if (sold.length === 0) return 0;
  const types = new Set(sold.map(({ soldTypeId }) => soldTypeId)).size;
  const ofLater = later === null ? 0 : ofConsent + ofPlan * (later.plans + (later.autoRenews ? sold.length : 0));
  const renewed = basketPersons(sold.filter(({ nextTerm }) => nextTerm !== null));
  const added = basketPersons(sold) - renewed;
  const ofMembers = ofNewMember * added + (added > 0 ? ofWords : 0) + ofRenewedMember * renewed;
  const ofHints = later?.autoRenews === true ? 0 : ofRenewalHint * renewed;
  return ofHints + ofMembers + ofType * types + ofLine * sold.length + ofLimits + ofLater;
}

/** Whether the order of a basket fits into one transaction. */
export function fitsInOrder(lines: readonly LineItem[], later: LaterCharges): boolean {
  return ofOrder + basketTickets(lines) + itemsOfMemberships(lines, later) <= maxItems;
}
