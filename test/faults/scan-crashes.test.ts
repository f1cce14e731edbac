import { beforeAll, expect, it } from 'vitest';
import { auditScans } from '../../shared/data/audit/scans.ts';
import { readAttended } from '../../shared/data/counters/scans.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { bucketStart } from '../../shared/domain/time/time-buckets.ts';
import { itemsLike } from '../../tools/fixtures/orders.ts';
import { eventOperations } from '../support/event-operations.ts';
import { killedAt } from '../support/faults/faulty-table.ts';
import { givenMatchDay } from '../support/match-day.ts';
import { createTestTable } from '../support/table.ts';

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

/** Five calls are those of a ticket, six those of a member; three rounds, so counters are moved during some of them. */
const deaths = [1, 2, 3].flatMap((round) =>
  (['ticket', 'member'] as const).flatMap((kind) =>
    (['before', 'after'] as const).flatMap((when) =>
      [1, 2, 3, 4, 5, 6, 7].map((call) => ({ kind, when, call, nonce: `${round}-${kind}-${when}-${call}` })),
    ),
  ),
);

it('a scan whose function dies before or after any call is recorded once when the gate sends it again, with its event, and the counters agree', async () => {
  const day = await givenMatchDay(table);
  const scans = deaths.length;
  let kills = 0;
  for (const { kind, when, call, nonce } of deaths) {
    const { barcode } = kind === 'ticket' ? await day.sell() : await day.enrol();
    const body = { barcode, gate_id: 4, nonce };
    const dying = killedAt(table, call, when);
    await day.send(body, { table: dying.table });
    if (dying.wasKilled()) kills += 1;
    const { status, body: response } = await day.send(body);
    expect([status, response.result]).toEqual([201, 'ok']);
    expect((await day.send(body)).body).toEqual(response);
  }
  expect(kills).toBeGreaterThan(50);
  const event = { orgId: day.orgId, eventId: day.eventId };
  expect(await eventOperations(() => table, day.orgId).scans(day.eventId)).toMatchObject({ total: scans });
  expect(await itemsLike(table, `SCN#${day.orgId}#`)).toHaveLength(scans);
  expect(await itemsLike(table, `FEED#${day.orgId}#`)).toHaveLength(scans);
  expect([...(await readAttended(table, day.orgId, day.eventId)).values()]).toEqual([scans / 2]);
  expect((await auditScans(table, event, bucketStart('day', day.now()))).findings).toEqual([]);
});
