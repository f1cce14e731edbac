import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { decodeTime } from 'ulid';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { newCheckoutDeps } from '../../support/baskets.ts';
import { faultyTable } from '../../support/faults/faulty-table.ts';
import { isOf, isVersioned, moneyMoves } from '../../support/money-moves.ts';
import { sweep } from '../../support/plans.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

type Sent = NonNullable<TransactWriteCommandInput['TransactItems']>;
const isEntering = (items: Sent) => items.some(({ Put }) => isOf(['JRN'], Put?.Item));

/** Somebody else has changed what proves the change of a transaction. */
const racedBy = (items: Sent) => {
  const proof = items.findIndex(({ Put }) => isOf(['BSK', 'ORD', 'PLN'], Put?.Item) && isVersioned(Put));
  const CancellationReasons = items.map((_, index) => ({ Code: index === proof ? 'ConditionalCheckFailed' : 'None' }));
  return new TransactionCanceledException({ message: 'raced', $metadata: {}, CancellationReasons });
};

// A list is complete up to six seconds ago (`listHorizonMs`), so nothing may appear in it with the time of an earlier attempt.
describe('what enters a list has the time of the attempt that writes it', () => {
  it.each(Object.entries(moneyMoves))('%s, its entry and its events', async (_name, { given }) => {
    let isArmed = false;
    const written: Sent[] = [];
    const raced = faultyTable(table, async (send, _attempt, sent) => {
      const items = sent as Sent;
      if (!isEntering(items)) return send();
      if (isArmed) {
        isArmed = false;
        deps.nowUnix += 10;
        throw racedBy(items);
      }
      written.push(items);
      return send();
    });
    const deps = newCheckoutDeps(raced);
    const { move } = await given(deps);
    deps.nowUnix += 60;
    isArmed = true;
    written.length = 0;
    await move();
    // A charge that was not recorded is recorded by the worker.
    deps.nowUnix += written.length === 0 ? 3_600 : 0;
    if (written.length === 0) await sweep(deps);
    expect([isArmed, written.length]).toEqual([false, 1]);
    const listed = (written[0] ?? []).filter(({ Put }) => isOf(['JRN', 'FEED'], Put?.Item));
    const times = listed.map(({ Put }) => decodeTime(String(Put?.Item?.sk).slice('jrn_'.length)));
    expect(times.map((ms) => Math.floor(ms / 1000))).toEqual(listed.map(() => deps.nowUnix));
  });
});
