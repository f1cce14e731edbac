import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { putAlone, transact } from '../../../shared/data/table/transact.ts';
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

describe('transact', () => {
  it('transact writes everything, or returns the current item that failed its condition and writes nothing', async () => {
    expect(await transact(table, [put('A', { held: 'by a' })])).toEqual([]);
    const contested = put('A');
    const refused = await transact(table, [
      put('B'),
      { label: 'contested', Put: { ...contested.Put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
    ]);
    expect(refused).toEqual([{ label: 'contested', current: { pk: 'A', sk: '#', held: 'by a' } }]);
    expect(await find('B')).toBeUndefined();
  });

  it.each(['TransactionConflict', 'ThrottlingError'])('transact retries %s', async (code) => {
    const busy = faultyTable(table, async (send, attempt) => {
      if (attempt <= 4) throw cancelled(code);
      return send();
    });
    expect(await transact(busy, [put(code)])).toEqual([]);
    expect(await find(code)).toBeDefined();
  });

  it("transact gives up after 15 conflicts, within the caller's time, with an error that becomes a 503", async () => {
    let attempts = 0;
    const alwaysConflicting = faultyTable(table, async () => {
      attempts += 1;
      throw cancelled('TransactionConflict');
    });
    await expect(transact(alwaysConflicting, [put('jammed')])).rejects.toThrow(TransactionCanceledException);
    expect(attempts).toBe(15);
  });

  it('transact succeeds when the response of its first attempt was lost', async () => {
    const lossy = faultyTable(table, async (send, attempt) => {
      const response = await send();
      if (attempt === 1) throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
      return response;
    });
    expect(await transact(lossy, [put('lost-answer')])).toEqual([]);
  });

  it('transact does not retry any other error', async () => {
    await expect(transact(crashAfter(table), [put('once')])).rejects.toThrow(crash);
  });
});

describe('putAlone', () => {
  const onPut = /^PutItem/;

  it('putAlone writes the item, or returns false if its condition fails', async () => {
    expect(await putAlone(table, put('alone', { held: 'by a' }).Put)).toBe(true);
    expect(await putAlone(table, put('alone', { held: 'by b' }).Put)).toBe(false);
    expect(await find('alone')).toMatchObject({ held: 'by a' });
  });

  it('putAlone recognises its own write after a lost response', async () => {
    const lossy = faultyTable(
      table,
      async (send, attempt) => {
        await send();
        if (attempt === 1) throw Object.assign(new Error('The connection broke.'), { code: 'ECONNRESET' });
      },
      onPut,
    );
    expect(await putAlone(lossy, put('lost', { held: 'by a' }).Put)).toBe(true);
    expect(await find('lost')).toMatchObject({ held: 'by a' });
  });

  it('putAlone does not overwrite what another writer has changed after the lost response', async () => {
    const overtaken = faultyTable(
      table,
      async (send, attempt) => {
        await send();
        if (attempt > 1) return;
        await table.client.send(
          new PutCommand({ TableName: table.name, Item: { pk: 'overtaken', sk: '#', held: 'by b' } }),
        );
        throw Object.assign(new Error('The connection broke.'), { code: 'ECONNRESET' });
      },
      onPut,
    );
    expect(await putAlone(overtaken, put('overtaken', { held: 'by a' }).Put)).toBe(false);
    expect(await find('overtaken')).toEqual({ pk: 'overtaken', sk: '#', held: 'by b' });
  });

  it('putAlone tries again after a conflict with a transaction', async () => {
    const busy = faultyTable(
      table,
      async (send, attempt) => {
        if (attempt <= 4) throw new TransactionConflictException({ message: 'busy', $metadata: {} });
        return send();
      },
      onPut,
    );
    expect(await putAlone(busy, put('busy').Put)).toBe(true);
  });
});
