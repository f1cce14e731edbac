import * as v from 'valibot';
import { organisationsPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';

/** The attributes that put an organisation into the directory: index by1 lists all organisations by id. */
export const directoryEntry = (orgId: string) => ({ by1pk: organisationsPartition(), by1sk: orgId });

const Entry = v.object({ by1sk: v.string() });

/** Returns the organisation with the lowest id after this one; undefined if there is none. */
export async function nextOrganisation(table: Table, after: string): Promise<string | undefined> {
  const pages = queryPages(table, {
    IndexName: 'by1',
    KeyConditionExpression: after === '' ? 'by1pk = :pk' : 'by1pk = :pk AND by1sk > :after',
    ExpressionAttributeValues: { ':pk': organisationsPartition(), ...(after !== '' && { ':after': after }) },
    ProjectionExpression: 'by1sk',
    Limit: 1,
  });
  for await (const [first] of pages) return first === undefined ? undefined : v.parse(Entry, first).by1sk;
  return undefined;
}
