import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Agent, request } from 'undici';
import type { Table } from '../../shared/data/table.ts';
import { newDelivery, putDelivery, readDelivery } from '../../shared/data/webhook-deliveries.ts';
import { type EndpointRecord, endpointItem } from '../../shared/data/webhook-endpoints-row.ts';
import { newEventId } from '../../shared/events/event-id.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import type { DeliveryDeps } from '../../shared/webhooks/delivery-deps.ts';
import { makeSecret, openSecrets } from '../../shared/webhooks/endpoint-secrets.ts';
import { newEndpointId } from '../../shared/webhooks/ids.ts';
import { createSend } from '../../shared/webhooks/send.ts';
import { signatureHeaders } from '../../shared/webhooks/signature.ts';
import { webhookEventExamples } from '../../test/support/webhook-examples.ts';
import type { MeasurePart } from '../parts.ts';
import { atLeast, median } from '../report/figures.ts';
import { startStand } from '../stand/dynamodb.ts';
import { startNeighbours } from '../stand/neighbours.ts';
import { startReceiverProcess } from '../stand/receiver-process.ts';
import { type Recorded, Recorder } from '../stand/recorder.ts';

const orgId = 'org_webhooks';
const perRound = 400;
const rounds = 3;
const endpoints = 8;
const body = JSON.stringify(webhookEventExamples[0]);

export const measureWebhooks: MeasurePart = async ({ progress }) => {
  const neighbours = await startNeighbours();
  const stand = await startStand();
  const receiver = await startReceiverProcess();
  try {
    const table = stand.open();
    const recorder = new Recorder(table, stand.open());
    const targets = await givenEndpoints(table, receiver.url);
    const deps = deliveryDeps(table);
    const bareAgent = new Agent();
    const bare = async (): Promise<void> => {
      const { body: answer } = await request(receiver.url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        dispatcher: bareAgent,
      });
      await answer.dump();
    };
    const signed = async (index: number): Promise<void> => {
      const endpoint = targets[index % targets.length];
      if (endpoint === undefined) throw new Error('There is no endpoint.');
      const secrets = await openSecrets(orgId, endpoint.endpointId, [endpoint.secret]);
      const headers = signatureHeaders(
        { id: 'evt_bench', timestampUnix: Math.floor(Date.now() / 1000), body },
        secrets,
      );
      const { reply } = await deps.send({ url: endpoint.url, headers, body }, systemClock);
      if (reply.kind !== 'answer' || reply.status !== 200)
        throw new Error(`The receiver's answer: ${JSON.stringify(reply)}`);
    };
    const found: Record<'bare' | 'signed' | 'whole', number[]> = { bare: [], signed: [], whole: [] };
    for (let round = 0; round <= rounds; round += 1) {
      progress(`round ${round} of ${rounds}`);
      const refs = await givenDeliveries(table, targets);
      const one = {
        bare: await perCpuSecond(bare),
        signed: await perCpuSecond(signed),
        whole: await perCpuSecond(whole(deps, refs)),
      };
      // The first round warms up.
      if (round === 0) continue;
      for (const name of ['bare', 'signed', 'whole'] as const) found[name].push(one[name]);
    }
    const [ref] = await givenDeliveries(table, targets, 1);
    const counted = await recorder.during(async () => ref && deliver(deps, { ...ref, forced: false }));
    const delivered = ref && (await readDelivery(table, ref));
    if (delivered?.status !== 'delivered') throw new Error(`The delivery was not made: ${delivered?.status}.`);
    return findingsOf({ bare: median(found.bare), signed: median(found.signed), whole: median(found.whole) }, counted);
  } finally {
    receiver.stop();
    await stand.stop();
    neighbours.stop();
  }
};

function deliveryDeps(table: Table): DeliveryDeps {
  return {
    table,
    clock: systemClock,
    luck: () => 0.5,
    sleep: (ms) => sleep(ms),
    send: createSend({ allowLoopback: true }),
    openSecrets,
    sendRetries: () => Promise.reject(new Error('Nothing was to be sent again.')),
    wakeLine: () => Promise.reject(new Error('Nothing was to stand in line.')),
    describe: ({ endpointId }) => ({ endpointId }),
  };
}

async function givenEndpoints(table: Table, url: string): Promise<EndpointRecord[]> {
  const made: EndpointRecord[] = [];
  for (let index = 0; index < endpoints; index += 1) {
    const endpointId = newEndpointId(Date.now());
    const { sealed: secret } = await makeSecret(orgId, endpointId);
    const endpoint: EndpointRecord = {
      endpointId,
      url,
      types: ['member.created'],
      description: null,
      // Its own pace must not be what is measured.
      ratePerSecond: 100_000,
      status: 'enabled',
      disabledReason: null,
      createdUnix: 1,
      updatedUnix: null,
      secret,
      formerSecret: null,
      formerUntilUnix: 0,
      version: 1,
    };
    await table.client.send(new PutCommand({ TableName: table.name, Item: endpointItem(orgId, endpoint) }));
    made.push(endpoint);
  }
  return made;
}

/** Deliveries that carry their own bytes, as fan-out would have left them. */
async function givenDeliveries(table: Table, targets: readonly EndpointRecord[], count = perRound) {
  const refs = Array.from({ length: count }, (_, index) => ({
    orgId,
    endpointId: targets[index % targets.length]?.endpointId ?? '',
    eventId: `${newEventId(Date.now())}${randomUUID().slice(0, 4)}`,
  }));
  // One after the other: hundreds of transactions at once would outlast their own time on a slow machine.
  for (const ref of refs) await putDelivery(table, newDelivery({ ...ref, type: 'member.created', body }, Date.now()));
  return refs;
}

function whole(deps: DeliveryDeps, refs: Awaited<ReturnType<typeof givenDeliveries>>) {
  return async (index: number): Promise<void> => {
    const ref = refs[index];
    if (ref !== undefined) await deliver(deps, { ...ref, forced: false });
  };
}

/** As many at once as there are endpoints, each keeping to its own. */
async function perCpuSecond(work: (index: number) => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: endpoints }, async (_, first) => {
      for (let index = first; index < perRound; index += endpoints) await work(index);
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return perRound / ((user + system) / 1_000_000);
}

function findingsOf({ bare, signed, whole: all }: Record<'bare' | 'signed' | 'whole', number>, counted: Recorded) {
  return {
    notes: [
      `${rounds} rounds of ${perRound} deliveries of ${Buffer.byteLength(body)} bytes to ${endpoints} endpoints of one receiver in another process, one at a time for each endpoint, in turns; medians. CPU of the sending process only.`,
      'Not measured yet: the latency from commit to arrival, a hanging endpoint beside good ones, and the recovery after an outage; tests show that these work.',
    ],
    tables: [
      {
        title: 'Deliveries per CPU-second',
        columns: ['what', 'per CPU-second', 'over the bare loop'],
        rows: [
          ['a bare keep-alive POST loop', bare, 1],
          ['signing, guarding and posting', signed, signed / bare],
          ['the whole delivery, with its calls of the table', all, all / bare],
        ],
      },
      {
        title: 'One delivery',
        columns: ['calls', 'depth', 'read u', 'write u'],
        rows: [[counted.calls, counted.depth, counted.readUnits, counted.writeUnits]],
      },
    ],
    curves: [],
    targets: [
      atLeast({
        name: 'webhooks: signing and posting over the bare POST loop',
        value: signed / bare,
        limit: 0.4,
        why: 'Beside the POST it derives the key, opens the secret, signs, judges the address, sets a timer and keeps the beginning of the answer. Which of these costs most has not been looked into.',
      }),
      atLeast({
        name: 'webhooks: whole deliveries over the bare POST loop',
        value: all / bare,
        limit: 0.4,
        why: `A delivery makes ${counted.calls} calls of the table beside its POST (read, turn, claim, outcome), and each takes about the CPU of a POST or more in the SDK. Needed: several deliveries of an endpoint claimed and settled in one call.`,
      }),
    ],
  };
}
