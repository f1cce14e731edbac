import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DueHint, overdueHints, putHint } from '../../../shared/data/table/due-hints.ts';
import { type DueKind, dueKey, dueKinds } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { basketSeconds } from '../../../shared/domain/baskets/basket.ts';
import { sweepBaskets } from '../../../shared/sales/checkout/sweep-baskets.ts';
import { givenBasket, givenOnSale, newCheckoutDeps, noonUnix, statusOf } from '../../support/baskets.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterAll(() => table.client.destroy());

/** A row in every partition of the hints of a kind that comes first and is no hint. */
async function givenUnreadable(kind: DueKind): Promise<void> {
  for (const shard of Array.from({ length: 8 }, (_, index) => index)) {
    const Item = { ...dueKey(kind, shard, '00000000001#org_broken#1'), ref: 7 };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  }
}

async function found(kind: DueKind): Promise<DueHint['ref'][]> {
  const refs: DueHint['ref'][] = [];
  for await (const hints of overdueHints(table, kind, noonUnix)) refs.push(...hints.map(({ ref }) => ref));
  return refs;
}

describe('a hint that cannot be read', () => {
  it.each(dueKinds)('leaves the other hints of its kind to their sweeper: %s', async (kind) => {
    await givenUnreadable(kind);
    await putHint(table, { kind, ref: ['org_hints', '2'], dueUnix: noonUnix - 60 });
    expect(await found(kind)).toEqual([['org_hints', '2']]);
  });

  it('does not keep an expired basket from being released', async () => {
    await givenUnreadable('basket');
    const deps = newCheckoutDeps(table);
    const onSale = await givenOnSale(table, deps.orgId);
    const { basketId } = await givenBasket(deps, onSale.price, 2);
    deps.nowUnix += basketSeconds + 60;
    await sweepBaskets(deps);
    expect(await statusOf(deps, basketId)).toBe('expired');
  });
});
