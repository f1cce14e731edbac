import type { RecordedCalls } from '../harness/call-recorder.ts';
import { atMost, type Target } from '../report/figures.ts';
import type { MinimumUnits } from './minimum-units.ts';

export interface MeasuredSale extends Pick<RecordedCalls, 'depth' | 'writeUnits'> {
  /** The operation, or one of the ways in which it is measured. */
  readonly name: string;
}

/** The checkout of a new customer. `check-out-basket` is that of a customer that the organisation knows. */
export const newCustomer = 'check-out-basket, new customer';

/** The buyer in the example of check-out-basket. */
export const knownBuyer = { emailAddress: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' };

/** Another new customer for each run. */
export const newBuyer = (run: number) => ({
  customer: { email: `buyer${run}@example.com`, first_name: 'New', last_name: 'Buyer' },
  payment_method: 'pm_card_visa',
});

/**
 * The fewest write units of a ticket that is sold and scanned, argued item by item: what has to be written so that it is sold once,
 * for one charge, and nothing is lost in a crash. What else a checkout writes is for the other promises of the API.
 *
 * The request is two single writes in each of them: it is admitted and counted, and logged at its end (ADR 59).
 *
 * - open-basket: the request 2, the basket 1, and the hint by which its tickets are released without a search for them 1.
 * - add-basket-item: the request 2; basket and stock in one transaction, so every ticket is in one place, 2 each.
 * - check-out-basket: the request 2. Before money moves, each as a single write: the claim 1, the id of the charge 1, the hint by
 *   which a checkout is settled whose function has died 1, the pointer by which a person is erased from it 1. Then one
 *   transaction, 2 for each started KB: the order 2, its ticket under its barcode 2, the basket 2, the event 4, and the hint by
 *   which the event is published although the stream has failed 2.
 * - A new customer: its row 2, and its address 2, so two first orders make one customer.
 * - record-scan: the request 2, and one transaction of the ticket, the scan, the event and its hint, 2 each; the nonce 2.
 */
const leastWrites: Readonly<Record<string, number>> = {
  'open-basket': 4,
  'add-basket-item': 6,
  'check-out-basket': 18,
  [newCustomer]: 22,
  'record-scan': 10,
  'record-scan, with a nonce': 12,
};

export function withArguedWrites(minimum: MinimumUnits, name: string): MinimumUnits {
  const writeUnits = leastWrites[name];
  return writeUnits === undefined ? minimum : { ...minimum, writeUnits };
}

function rowOf(measured: readonly MeasuredSale[], name: string): MeasuredSale {
  const found = measured.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} was not measured.`);
  return found;
}

/** The calls that wait for each other, and the write units, of what sells a ticket with an API key. With a storefront token each call is one less: it is not logged. */
export function saleTargets(measured: readonly MeasuredSale[]): Target[] {
  const depth = (name: string, limit: number): Target =>
    atMost({ name: `calls one after the other: ${name}`, value: rowOf(measured, name).depth, limit });
  const units = (name: string, names: readonly string[], limit: number): Target =>
    atMost({
      name: `write units: ${name}`,
      value: names.reduce((sum, one) => sum + rowOf(measured, one).writeUnits, 0),
      limit,
      why: 'ADR 22 says what they are for. Fewer would need fewer promises, such as exact pages of all orders.',
    });
  // A checkout may take 40 units (57 with a new customer), a sale 48, and depth 7; the journal adds 4, the request log a unit and a step per call.
  // The key of the order's link is a step of a checkout: it is read before the basket is claimed, so a read that fails leaves nothing behind.
  return [
    depth('check-out-basket', 9),
    units('check-out-basket', ['check-out-basket'], 45),
    depth(newCustomer, 9),
    units(newCustomer, [newCustomer], 62),
    units('a ticket sold', ['open-basket', 'add-basket-item', 'check-out-basket'], 55),
    depth('add-basket-item', 4),
    // The last step reads when the prices of the tickets show their barcodes.
    depth('list-sso-order-tickets', 5),
  ];
}
