import * as v from 'valibot';
import { isSold, type TicketRecord } from '../../domain/orders/order.ts';
import { parseTicket } from '../orders/barcode-row.ts';
import { batchGet } from '../table/batch-get.ts';
import { personHash } from '../table/hash-key.ts';
import { barcodeKey, heldTicketsPartition, offeredTicketsPartition } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { type BarcodeRow, parseBarcodeRow } from './row.ts';

/** Every barcode that the ticket has or had, the oldest first. */
export function barcodesOfTicket({ barcode, transfers }: Pick<TicketRecord, 'barcode' | 'transfers'>): string[] {
  return [...(transfers?.former ?? []).map((former) => former.barcode), barcode];
}

/** Reads the rows of barcodes, in their order. */
export async function readBarcodeRows(
  table: Table,
  orgId: string,
  barcodes: readonly string[],
): Promise<readonly BarcodeRow[]> {
  const keys = barcodes.map((barcode) => barcodeKey(orgId, barcode));
  const items = new Map((await batchGet(table, keys, { consistent: true })).map((item) => [item.pk, item]));
  return keys.flatMap(({ pk }) => {
    const item = items.get(pk);
    return item === undefined ? [] : [parseBarcodeRow(item)];
  });
}

/** The tickets that a customer has been given, by id: all, or those that are valid. One that was just accepted may be missing for a moment. */
export async function ticketsGivenTo(
  table: Table,
  orgId: string,
  userId: number,
  which: 'all' | 'valid',
): Promise<readonly TicketRecord[]> {
  const items = await queryAll(table, inIndex('by1', heldTicketsPartition(orgId, userId)));
  return items.map(parseTicket).filter((ticket) => which === 'all' || isSold(ticket));
}

const IndexKeys = v.object({ pk: v.string(), sk: v.string() });

/** The rows of barcodes whose last offer was made to an email address. */
export async function rowsOfferedTo(table: Table, orgId: string, emailAddress: string): Promise<readonly BarcodeRow[]> {
  const partition = offeredTicketsPartition(orgId, emailAddress, await personHash(table));
  const keys = (await queryAll(table, inIndex('by6', partition))).map((item) => v.parse(IndexKeys, item));
  return (await batchGet(table, keys, { consistent: true })).map(parseBarcodeRow);
}

const inIndex = (IndexName: 'by1' | 'by6', partition: string) => ({
  IndexName,
  KeyConditionExpression: `${IndexName}pk = :pk`,
  ExpressionAttributeValues: { ':pk': partition },
});
