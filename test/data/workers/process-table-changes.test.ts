import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readAllChanges } from '../../../shared/data/positions/tree/waiting-changes.ts';
import { positionStateKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { executeRequestedRefunds } from '../../../shared/sales/refunds/execute-requested-refunds.ts';
import { applyPositionsOfRecords } from '../../../shared/workers/apply-positions.ts';
import { streamWorkerByKind } from '../../../shared/workers/batches.ts';
import { lambdaContext } from '../../../tools/fixtures/api-event.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { chargesOf } from '../../support/baskets.ts';
import { crashBefore, faultyTable } from '../../support/faults/faulty-table.ts';
import { givenPaidOrder } from '../../support/faults/refund-crash-scenario.ts';
import { orderCalls } from '../../support/order-calls.ts';
import { printedLines } from '../../support/printed-lines.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterEach(() => vi.unstubAllEnvs());

const recordOf = (pk: string, SequenceNumber: string): DynamoDBRecord => ({
  dynamodb: { Keys: { pk: { S: pk } }, SequenceNumber },
});
const batch = [
  recordOf('STK#o#1', '1'),
  recordOf('RFD#o#2', '2'),
  recordOf('POS#o#orders', '3'),
  recordOf('STK#o#1', '4'),
];

type Handlers = Parameters<typeof streamWorkerByKind>[0];
const runWorker = async (handlers: Handlers) => {
  const context = lambdaContext(60_000) as Parameters<ReturnType<typeof streamWorkerByKind>>[1];
  return (await streamWorkerByKind(handlers)({ Records: batch }, context)).batchItemFailures;
};
const numbersOf = (records: readonly DynamoDBRecord[]) => records.map(({ dynamodb }) => dynamodb?.SequenceNumber);

describe('the worker that handles several kinds of the stream', () => {
  it('each kind gets its own records, and only those of an outage are sent again', async () => {
    const received: Record<string, unknown> = {};
    const failures = await runWorker({
      STK: async (records) => {
        received.STK = numbersOf(records);
        return records.slice(1);
      },
      POS: async (records) => {
        received.POS = numbersOf(records);
        return [];
      },
      RFD: async (records) => {
        received.RFD = numbersOf(records);
        return [];
      },
    });
    expect(received).toEqual({ STK: ['1', '4'], POS: ['3'], RFD: ['2'] });
    expect(failures).toEqual([{ itemIdentifier: '4' }]);
  });

  it('a kind that fails counts as processed and stops no other kind', async () => {
    const processed = vi.fn(async () => []);
    const lines = await printedLines(async () => {
      const failing = async (): Promise<never> => Promise.reject(new TypeError('A defect.'));
      expect(await runWorker({ STK: failing, POS: processed, RFD: processed })).toEqual([]);
    });
    expect(processed).toHaveBeenCalledTimes(2);
    expect(lines).toEqual([
      expect.objectContaining({ message: 'Changes of the table could not be processed', kind: 'STK' }),
    ]);
  });
});

/** As many new customers as the worker waits for before it writes the trees of their lists. */
async function givenWaitingChanges(orgId: string) {
  const trees = { orgId, resource: 'customers' } as const;
  for (let number = 1; number <= 32; number += 1) await givenCustomer(table, orgId, { orgCustomerId: `C-${number}` });
  const waiting = async () => (await readAllChanges(table, trees)).pending.length;
  return { ...positionStateKey(orgId, 'customers'), waiting };
}

describe('position changes', () => {
  it('a tree that cannot be written is logged and its changes wait, and the batch goes on', async () => {
    const first = await givenWaitingChanges('org_positions');
    const second = await givenWaitingChanges('org_more_positions');
    const failing = faultyTable(table, (send, attempt) =>
      attempt === 1 ? Promise.reject(new Error('The table is away.')) : send(),
    );
    const records = [recordOf(first.pk, '1'), recordOf(second.pk, '2')];
    const lines = await printedLines(() => applyPositionsOfRecords(failing, records));
    expect(lines).toEqual([
      expect.objectContaining({ message: 'Position changes could not be applied', partition: first.pk }),
    ]);
    expect([await first.waiting(), await second.waiting()]).toEqual([32, 0]);
  });
});

describe('requested refunds', () => {
  it('end within their time, whatever is queued, and leave the rest to the sweeper', async () => {
    const orgId = 'org_cancelled';
    const { deps, orderId, ticketIds } = await givenPaidOrder(table, orgId);
    for (const ticketId of ticketIds) await orderCalls(table, orgId, orderId).refund({ ticket_ids: [ticketId] });
    let looks = 0;
    // The refunds of the first order are begun, one of them is executed, and the time is over.
    const hasTime = () => {
      looks += 1;
      return looks <= 2;
    };
    const others = Array.from({ length: 10_000 }, (_, index) => ({ orgId: 'org_none', orderId: index + 1 }));
    const reads = vi.spyOn(table.client, 'send');
    await executeRequestedRefunds(deps, [{ orgId, orderId }, ...others], hasTime);
    expect(reads.mock.calls.length).toBeLessThan(50);
    reads.mockRestore();
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 3_215 }]);
    await executeRequestedRefunds(deps, [{ orgId, orderId }], () => true);
    expect(await chargesOf(deps)).toMatchObject([{ refundedMinor: 3 * 3_215 }]);
  });

  it('a refund that fails does not stop those of other orders', async () => {
    const orgId = 'org_one_fails';
    const { deps, orderId, ticketIds } = await givenPaidOrder(table, orgId);
    await orderCalls(table, orgId, orderId).refund({ ticket_ids: ticketIds });
    const lines = await printedLines(() =>
      executeRequestedRefunds({ ...deps, table: crashBefore(table) }, [{ orgId, orderId }], () => true),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ message: 'A refund could not be executed', order_id: orderId }),
    );
  });
});
