import { expect, test } from 'vitest';
import { putItems } from '../../local/cloud/dynamodb/put-items.ts';

interface BatchWriteItem {
  readonly RequestItems: { readonly main: readonly { readonly PutRequest: { readonly Item: unknown } }[] };
}

test('the items of a new table are written in batches of 25, and again where the database left some out', async () => {
  const items = Array.from({ length: 60 }, (_, index) => ({ pk: { S: String(index) } }));
  const written: unknown[] = [];
  let calls = 0;
  const call = async (operation: string, input: unknown) => {
    expect(operation).toBe('BatchWriteItem');
    const { main } = (input as BatchWriteItem).RequestItems;
    expect(main.length).toBeLessThanOrEqual(25);
    calls += 1;
    const accepted = calls === 1 ? main.slice(0, 10) : main;
    written.push(...accepted.map(({ PutRequest }) => PutRequest.Item));
    return accepted.length === main.length ? {} : { UnprocessedItems: { main: main.slice(10) } };
  };
  await putItems({ endpoint: '', call, close: () => {} }, 'main', items);
  expect(calls).toBe(4);
  expect(written).toHaveLength(60);
  expect(written).toEqual(expect.arrayContaining(items));
});
