import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handle } from '../../../functions/api/events/list-event-prices.ts';
import { stockKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { pipeline } from '../../../shared/http/pipeline.ts';
import { listEventPrices } from '../../../shared/operations/events/list-event-prices.ts';
import { apiEvent, lambdaContext } from '../../../tools/fixtures/api-event.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenEvent, givenPrice, givenPriceCategory } from '../../../tools/fixtures/events.ts';
import { signingKeys } from '../../../tools/fixtures/signing-key.ts';
import { givenStorefrontToken } from '../../../tools/fixtures/storefront.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_shown';
const noon = Date.UTC(2026, 10, 14, 12, 0, 0);
const Prices = v.looseObject({ data: v.array(v.looseObject({ status: v.string() })) });
let table: Table;
let token: string;
let key: string;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
  ({ text: token } = await givenStorefrontToken(table, orgId));
  ({ text: key } = await givenKey(table, orgId));
});

describe('the stock that a web page shows', () => {
  it('a price list with a storefront token may be a second old; one with an API key never is', async () => {
    const { eventId } = await givenEvent(table, orgId);
    const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
    const { index } = await givenPrice(table, orgId, { eventId, categoryId, capacity: 10 });
    let nowMs = noon;
    // One instance of the function, with its table and its clock.
    const run = pipeline(listEventPrices, handle, { clock: { nowMs: () => nowMs }, table: () => table, signingKeys });
    const status = async (bearer: string, atMs: number): Promise<unknown> => {
      nowMs = atMs;
      const headers = { Authorization: `Bearer ${bearer}` };
      const event = apiEvent({ headers, pathParameters: { event_id: String(eventId) } });
      const { body } = await run(event, lambdaContext());
      return v.parse(Prices, JSON.parse(body)).data[0]?.status;
    };
    expect(await status(token, noon)).toBe('active');
    const soldOut = { UpdateExpression: 'SET avail = :none', ExpressionAttributeValues: { ':none': 0 } };
    await table.client.send(
      new UpdateCommand({ TableName: table.name, Key: stockKey(orgId, eventId, index, 0), ...soldOut }),
    );
    expect(await status(key, noon + 999)).toBe('sold_out');
    expect(await status(token, noon + 999)).toBe('active');
    expect(await status(token, noon + 1_000)).toBe('sold_out');
  });
});
