import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../shared/data/table/table.ts';
import { claimDelivery, newDelivery, putDelivery, readDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import { leaseBacklog, readEndpointState } from '../../../shared/data/webhooks/endpoint-state.ts';
import { losingFirstAnswer } from '../../support/faults/faulty-table.ts';
import { createTestTable } from '../../support/table.ts';

const orgId = 'org_claims';
const nowMs = Date.UTC(2026, 10, 15);
const untilMs = nowMs + 120_000;

let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable());
});

describe('webhook claims whose response was lost', () => {
  it('a webhook delivery claim whose response was lost is still held, and not granted again in the same millisecond', async () => {
    const order = { orgId, endpointId: 'we_1', eventId: 'evt_1', type: 'order.completed' } as const;
    const delivery = await putDelivery(table, newDelivery(order, nowMs));
    const lossy = losingFirstAnswer(table, 'UpdateItemCommand');
    expect(await claimDelivery(lossy, delivery, nowMs, untilMs)).toEqual({ ...delivery, leaseMs: untilMs });
    expect(await claimDelivery(table, delivery, nowMs, untilMs)).toBeUndefined();
    expect(await readDelivery(table, order)).toEqual({ ...delivery, leaseMs: untilMs });
  });

  it('a webhook backlog lease whose response was lost is still held, and not granted again in the same millisecond', async () => {
    const ref = { orgId, endpointId: 'we_2' };
    const lossy = losingFirstAnswer(table, 'UpdateItemCommand');
    expect(await leaseBacklog(lossy, ref, { nowMs, untilMs })).toMatchObject({ backlogLeaseMs: untilMs });
    expect(await leaseBacklog(table, ref, { nowMs, untilMs })).toBeUndefined();
    expect(await readEndpointState(table, ref)).toMatchObject({ backlogLeaseMs: untilMs });
  });
});
