import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { takeStock } from '../../../shared/data/prices/stock.ts';
import { stockKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { log } from '../../../shared/platform/log.ts';
import { updateSoldOutOfRecords } from '../../../shared/workers/update-sold-out.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { crashBefore } from '../../support/faults/faulty-table.ts';
import { fieldsOf } from '../../support/fields-of.ts';
import { printedLines } from '../../support/printed-lines.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_stock';
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  // An invocation of a worker, not an API request. A test file before this one may have left another.
  log.addContext({ awsRequestId: 'run', functionVersion: '1' });
});
afterEach(() => vi.unstubAllEnvs());

async function givenLastTickets(capacity: number): Promise<PriceRecord> {
  const { eventId } = await givenEvent(table, orgId);
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  return givenPrice(table, orgId, { eventId, categoryId, capacity });
}

/** Takes a ticket in a request, and returns the record that the stream has of it. */
async function sale(price: PriceRecord, fields: object): Promise<DynamoDBRecord> {
  await log.within({ ...fields }, () => transact(table, [takeStock(table, orgId, price, 1)]));
  const Key = stockKey(orgId, price.eventId, price.index);
  const { Item = {} } = await table.client.send(new GetCommand({ TableName: table.name, Key }));
  const image = (item: object) => marshall(item) as Record<string, AttributeValue & { SS?: string[] }>;
  return { dynamodb: { Keys: image(Key), NewImage: image(Item) } as NonNullable<DynamoDBRecord['dynamodb']> };
}

describe('the log entry of an event whose stock could not be updated', () => {
  it.each([
    ['one request', ['req-a', 'req-a'], { api_request_id: 'req-a' }],
    ['each of several requests', ['req-a', 'req-b'], { api_request_ids: ['req-a', 'req-b'] }],
    ['no request', [undefined, undefined], {}],
    ['the last request, not of one before', ['req-a', undefined], { api_request_id: 'req-a' }],
  ])('has the id of %s that sold its tickets', async (_which, requests, expected) => {
    const price = await givenLastTickets(requests.length);
    const records: DynamoDBRecord[] = [];
    for (const api_request_id of requests) records.push(await sale(price, { api_request_id }));
    const lines = await printedLines(async () => {
      expect(await updateSoldOutOfRecords(crashBefore(table), records, 1_000)).toEqual([]);
    });
    const message = 'The stock of an event could not be updated';
    expect(lines).toEqual([expect.objectContaining({ message, org_id: orgId, event_id: price.eventId, ...expected })]);
    expect(Object.keys(fieldsOf(lines[0])).filter((name) => name.startsWith('api_'))).toEqual(Object.keys(expected));
  });
});
