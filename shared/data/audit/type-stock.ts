import * as v from 'valibot';
import { addTo, type Finding, nameRow, stockDifference } from '../../domain/audit/finding.ts';
import { movesOf, stockRef } from '../../domain/baskets/stock-moves.ts';
import { sumOf } from '../../domain/money.ts';
import { isSold, type OrderWithTickets } from '../../domain/orders/order.ts';
import { readMembershipConfig } from '../membership/config.ts';
import { readEventSlices, stocksOf } from '../prices/stock.ts';
import { stockKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { pendingBaskets } from './pending-baskets.ts';

/** The memberships that were taken from the capacity of each type, in the orders that were audited so far. */
export const CountedTypes = v.object({
  /** The stock of each type with a capacity, from before the first order was read. */
  seen: v.record(v.string(), v.string()),
  sold: v.record(v.string(), v.number()),
});
export type CountedTypes = v.InferOutput<typeof CountedTypes>;

/** Nothing can be compared: an order could not be read. */
export const uncountedTypes: CountedTypes = { seen: {}, sold: {} };

export async function beginTypes(table: Table, orgId: string): Promise<CountedTypes> {
  const { types } = await readMembershipConfig(table, orgId, { consistent: true });
  const ids = [...types.values()].filter(({ capacity }) => capacity !== null).map(({ typeId }) => typeId);
  const stocks = await Promise.all(
    ids.map(async (typeId) => [typeId, await stockOfType(table, orgId, typeId)] as const),
  );
  return { seen: Object.fromEntries(stocks.map(([typeId, { state }]) => [typeId, state])), sold: {} };
}

/** How many memberships of orders were taken from the capacity of each type. */
export function takenByType(orders: readonly OrderWithTickets[]): Record<string, number> {
  const taken = new Map<string, number>();
  for (const { typeId, ownStock, placeReturned = false, returnedPlaces = [], ...membership } of orders.flatMap(
    (one) => one.memberships,
  )) {
    if (ownStock && (placeReturned || isSold(membership))) addTo(taken, { [typeId]: 1 });
    // The order of the earlier term still has it.
    for (const returned of returnedPlaces) addTo(taken, { [returned]: -1 });
  }
  return Object.fromEntries(taken);
}

export function addTypes({ seen, sold }: CountedTypes, taken: Readonly<Record<string, number>>): CountedTypes {
  const counts = new Map(Object.entries(sold));
  addTo(counts, taken);
  return { seen, sold: Object.fromEntries(counts) };
}

/**
 * Checks for every membership type that capacity = available + held + sold. A stock counts its changes: if it is as it was before the first
 * order was read, all reads together are one snapshot. Otherwise the type is on sale, and a later round compares it.
 */
export async function auditTypeStock(table: Table, orgId: string, { seen, sold }: CountedTypes): Promise<Finding[]> {
  const soldOf = (typeId: string): number => sold[typeId] ?? 0;
  const stocks = await Promise.all(
    Object.keys(seen).map(async (typeId) => ({ typeId, ...(await stockOfType(table, orgId, Number(typeId))) })),
  );
  const differing = stocks.filter(
    ({ typeId, state, stock }) =>
      state === seen[typeId] && stockDifference(stock, { held: 0, sold: soldOf(typeId) }) !== 0,
  );
  if (differing.length === 0) return [];
  const held = await heldByType(table, orgId);
  const findings = differing.map(async ({ typeId }): Promise<Finding[]> => {
    const { state, stock } = await stockOfType(table, orgId, Number(typeId));
    const difference = stockDifference(stock, { held: held.get(Number(typeId)) ?? 0, sold: soldOf(typeId) });
    if (state !== seen[typeId] || difference === 0) return [];
    const problem =
      difference > 0
        ? `${difference} memberships are neither available, held nor sold.`
        : `${-difference} more memberships are available, held and sold than the capacity allows.`;
    const { eventId, index } = stockRef({ kind: 'type', typeId: Number(typeId) });
    return [{ check: 'stock', row: nameRow(stockKey(orgId, eventId, index)), problem }];
  });
  return (await Promise.all(findings)).flat();
}

async function stockOfType(table: Table, orgId: string, typeId: number) {
  const { eventId, index } = stockRef({ kind: 'type', typeId });
  const slices = await readEventSlices(table, orgId, eventId);
  const stock = stocksOf(slices).get(index) ?? { avail: 0, capacity: 0 };
  return { stock, state: [stock.avail, stock.capacity, sumOf(slices.map(({ version }) => version))].join(' ') };
}

/** The memberships that baskets hold. */
async function heldByType(table: Table, orgId: string): Promise<ReadonlyMap<number, number>> {
  const held = new Map<number, number>();
  for await (const { eventId, lines } of pendingBaskets(table, { orgId })) {
    for (const { stock, tickets } of movesOf(eventId, lines)) {
      if (stock.kind === 'type') held.set(stock.typeId, (held.get(stock.typeId) ?? 0) + tickets);
    }
  }
  return held;
}
