import * as v from 'valibot';
import { barcodeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';

/** The row of a barcode as it was read. */
export interface TicketVersion {
  readonly barcode: string;
  readonly version: number;
}

const Ending = v.object({ ends: v.optional(v.number()) });

/** The number of the refund that the buyer has asked for, while it is under way: until then no gate admits the ticket. */
export function endingOf(item: unknown): number | undefined {
  return v.parse(Ending, item).ends;
}

/** Marks the ticket on the condition that nothing has happened to it since it was read, such as a scan or an offer. */
export function endingUpdate(
  table: Table,
  orgId: string,
  { barcode, version }: TicketVersion,
  refundNumber: number,
): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: barcodeKey(orgId, barcode),
      UpdateExpression: 'SET v = v + :one, ends = :refund',
      ConditionExpression: 'v = :v',
      ExpressionAttributeValues: { ':one': 1, ':v': version, ':refund': refundNumber },
    },
  };
}

/** The provider has refused the refund: the ticket is as it was before. */
export function endingRemoval(table: Table, orgId: string, { barcode, version }: TicketVersion): TransactItem {
  return {
    Update: {
      TableName: table.name,
      Key: barcodeKey(orgId, barcode),
      UpdateExpression: 'SET v = v + :one REMOVE ends',
      ConditionExpression: 'v = :v',
      ExpressionAttributeValues: { ':one': 1, ':v': version },
    },
  };
}
