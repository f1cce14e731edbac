import type { Stock } from '../../domain/prices/price.ts';
import type { Table } from '../table/table.ts';
import { gatherStock } from './slices.ts';
import { readStock, type StockRef } from './stock.ts';

/** The capacity is lower than the number of held and sold tickets. */
export interface CapacityTaken {
  readonly outcome: 'capacity_taken';
  readonly taken: number;
}

/** The stock of a price or a pool; undefined if it has none of its own. */
export async function stockOf(table: Table, orgId: string, { eventId, index }: StockRef): Promise<Stock | undefined> {
  return (await readStock(table, orgId, eventId)).get(index);
}

/** Moves what a lower capacity takes away into the first slice, from which the transaction of the change takes it. */
export async function lowerCapacity(
  table: Table,
  orgId: string,
  ref: StockRef,
  { stock, capacity }: { readonly stock: Stock; readonly capacity: number },
): Promise<'possible' | 'raced' | CapacityTaken> {
  if (await gatherStock(table, orgId, ref, stock.capacity - capacity)) return 'possible';
  const taken = stock.capacity - stock.avail;
  return capacity < taken ? { outcome: 'capacity_taken', taken } : 'raced';
}
