import { expect, it } from 'vitest';
import { handle } from '../../../functions/api/catalogue/create-event.ts';
import { createEvent } from '../../../shared/operations/catalogue/create-event.ts';
import { callOperation } from '../../support/call-operation.ts';
import { givenTableWithKey } from '../../support/organisation-pipeline.ts';

it('a dry run of a create is a 200, in the query or the body, and a create a 201', async () => {
  const { table, key: bearer } = await givenTableWithKey('org_dryrun');
  const event = { title: 'Final', utc_event_start_date: '2199-10-31T09:30:00Z', currency: 'AUD' };
  const send = (query: Record<string, string>, body: object) =>
    callOperation(createEvent, handle, {
      table,
      bearer,
      nowMs: Date.UTC(2026, 10, 7),
      query,
      body: { ...event, ...body },
    });
  for (const [query, body] of [
    [{ dry_run: 'true' }, {}],
    [{}, { dry_run: true }],
  ] as const) {
    expect(await send(query, body)).toMatchObject({ status: 200, body: { title: 'Final', warnings: [{}] } });
  }
  expect((await send({ dry_run: 'false' }, {})).status).toBe(201);
});
