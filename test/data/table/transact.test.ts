import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { cancelled, crash, crashAfter, faultyTable } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

const put = (pk: string, more: object = {}) => ({
  Put: { TableName: table.name, Item: { pk, sk: '#', ...more }, ConditionExpression: 'attribute_not_exists(pk)' },
});
const find = async (pk: string) =>
  (await table.client.send(new GetCommand({ TableName: table.name, Key: { pk, sk: '#' } }))).Item;

describe('a transaction', () => {
  it('writes everything, or names what stood in the way as it stands and writes nothing', async () => {
    expect(await transact(table, [put('A', { held: 'by a' })])).toEqual([]);
    const contested = put('A');
    const refused = await transact(table, [
      put('B'),
      { Put: { ...contested.Put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
    ]);
    expect(refused).toEqual([{ index: 1, current: { pk: 'A', sk: '#', held: 'by a' } }]);
    expect(await find('B')).toBeUndefined();
  });

  it.each(['TransactionConflict', 'ThrottlingError'])('that meets %s is sent again', async (code) => {
    const busy = faultyTable(table, async (send, attempt) => {
      if (attempt <= 4) throw cancelled(code);
      return send();
    });
    expect(await transact(busy, [put(code)])).toEqual([]);
    expect(await find(code)).toBeDefined();
  });

  it('that meets nothing but conflicts gives up inside the time that a caller has, with the error that becomes a 503', async () => {
    let attempts = 0;
    const jammed = faultyTable(table, async () => {
      attempts += 1;
      throw cancelled('TransactionConflict');
    });
    await expect(transact(jammed, [put('jammed')])).rejects.toThrow(TransactionCanceledException);
    expect(attempts).toBe(12);
  });

  it('whose answer was lost is not refused by what it wrote itself', async () => {
    const lossy = faultyTable(table, async (send, attempt) => {
      const answer = await send();
      if (attempt === 1) throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
      return answer;
    });
    expect(await transact(lossy, [put('lost-answer')])).toEqual([]);
  });

  it('that fails for another reason is not sent again', async () => {
    await expect(transact(crashAfter(table), [put('once')])).rejects.toThrow(crash);
  });
});
