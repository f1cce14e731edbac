import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { ItemKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';

export type Row = ItemKey & Record<string, unknown>;

/** Every row of the table, by its key. */
export async function everyRow(table: Table): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) }),
    );
    for (const item of Items) rows.set(`${item.pk} ${item.sk}`, { ...item, pk: String(item.pk), sk: String(item.sk) });
    start = LastEvaluatedKey;
  } while (start !== undefined);
  return rows;
}

/** The key kinds of rows. */
export function kindsOf(rows: Iterable<{ readonly pk?: unknown }>): string[] {
  return [...new Set(Array.from(rows, ({ pk }) => String(pk).split('#')[0] ?? ''))].sort();
}
