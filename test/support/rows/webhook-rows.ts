import type { Table } from '../../../shared/data/table/table.ts';
import { transact } from '../../../shared/data/table/transact.ts';
import { moveDelivery, newDelivery, putDelivery, readDelivery } from '../../../shared/data/webhooks/deliveries.ts';
import { readEndpointState } from '../../../shared/data/webhooks/endpoint-state.ts';
import { endpointStateUpdate } from '../../../shared/data/webhooks/endpoint-state-row.ts';
import { changeEndpoint, createEndpoint } from '../../../shared/data/webhooks/endpoints.ts';
import { moveReplay, readReplay, startReplay } from '../../../shared/data/webhooks/replays.ts';
import { newEventId } from '../../../shared/outbox/event-id.ts';
import { newEndpointId } from '../../../shared/webhooks/ids.ts';
import { ada, noonUnix } from '../baskets.ts';

/** An endpoint that has failed once, with a delivery and a replay under way. */
export async function writeWebhooks(table: Table, orgId: string, nowMs: number) {
  const endpointId = newEndpointId(nowMs);
  const ref = { orgId, endpointId };
  const endpoint = { url: 'https://shop.example.com/', types: ['*'], description: null, ratePerSecond: 10 };
  const secrets = { secret: 'sealed', formerSecret: null, formerUntilUnix: 0, olderSecrets: [] };
  const state = { status: 'enabled', disabledReason: null, createdUnix: noonUnix, updatedUnix: null } as const;
  await createEndpoint(table, orgId, { endpointId, ...endpoint, ...secrets, ...state, version: 1 }, () => []);
  const eventRef = { ...ref, eventId: newEventId(nowMs) };
  await putDelivery(table, newDelivery({ ...eventRef, type: 'order.completed' }, nowMs));
  const replay = {
    replayId: 'wr_1',
    types: ['*'],
    sinceMs: 0,
    untilMs: nowMs,
    createdUnix: noonUnix,
    hintUnix: noonUnix,
  };
  await startReplay(table, ref, replay, () => []);
  const before = await readEndpointState(table, ref);
  await transact(table, endpointStateUpdate(table, ref, before, { ...before, failures: 1, version: 1 }));
  return { ref, eventRef };
}

export async function rewriteWebhooks(
  table: Table,
  { ref, eventRef }: Awaited<ReturnType<typeof writeWebhooks>>,
  laterUnix: number,
): Promise<void> {
  await changeEndpoint(table, ref, { change: (before) => ({ ...before, description: ada.firstName }) });
  const delivery = await readDelivery(table, eventRef);
  if (delivery !== undefined) await moveDelivery(table, delivery, { ...delivery, status: 'waiting', spent: 1 });
  const replay = await readReplay(table, ref);
  if (replay !== undefined) await moveReplay(table, ref, replay, { ...replay, hintUnix: laterUnix });
  const state = await readEndpointState(table, ref);
  await transact(table, endpointStateUpdate(table, ref, state, { ...state, failures: 2 }));
}
