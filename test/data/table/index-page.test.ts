import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { readIndexPage } from '../../../shared/data/lists/index-page.ts';
import { createTestTable } from '../../support/table.ts';

it('a page of an index that ends at a megabyte says that more follows', async () => {
  const { table } = await createTestTable();
  const partition = 'BSK#org_pages#held';
  const names = Array.from({ length: 30 }, (_, index) => `0${index + 10}`);
  const text = 'x'.repeat(50_000);
  for (const sk of names) {
    const Item = { pk: partition, sk, by1pk: partition, by1sk: sk, text };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  }
  const found: unknown[] = [];
  let after: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await readIndexPage(table, { partition, after, limit: 100 });
    found.push(...page.items.map(({ by1sk }) => by1sk));
    after = String(found.at(-1));
    hasMore = page.hasMore;
  }
  expect(found).toEqual(names);
});
