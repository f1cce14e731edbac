import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { eventOperations } from '../../support/event-operations.ts';
import { givenEventWithPrices } from '../../support/event-with-prices.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_club';
let table: Table;

beforeAll(async () => {
  ({ table } = await createTestTable());
  await givenOrganisation(table, orgId);
});

const operations = eventOperations(() => table, orgId);

describe.each(Object.entries(operations))('%s without data', (_name, callOperation) => {
  it('an event operation returns an empty result without orders or scans, and a 404 without an event', async () => {
    const { event } = await givenEventWithPrices(table, orgId);
    expect(await callOperation(event.eventId)).toHaveProperty('data');
    for (const id of ['nonsense', '512', '9'.repeat(30)]) {
      await expect(callOperation(id)).rejects.toMatchObject({ code: 'resource_not_found' });
    }
    const missing = await callOperation('512').catch((error: unknown) => error);
    expect(await callOperation(event.eventId, {}, 'org_other').catch((error: unknown) => error)).toEqual(missing);
  });
});
