import { readdirSync, readFileSync } from 'node:fs';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dueHintItem, dueHintKey } from '../../shared/data/table/due-hints.ts';
import { pendingHint } from '../../shared/outbox/outbox.ts';
import { type Service, shareService } from '../support/service.ts';
import { readStack } from '../support/template.ts';

const orgId = 'org_harbourfc';
const folder = new URL('../../events/', import.meta.url);
let service: Service;
let key: string;

beforeAll(async () => {
  service = await shareService([orgId]);
  key = await service.newKey(orgId);
});
afterAll(() => service.stop());

/** Runs the function of an operation or worker, with its own role, on a sample event. */
async function invoke(id: string, file: string): Promise<unknown> {
  const text = readFileSync(new URL(file, folder), 'utf8').replaceAll(/Bearer gl_test_\w+…/g, `Bearer ${key}`);
  return service.cloud.invoke(readStack('probe').functionOf({ id }).logicalId, JSON.parse(text));
}

/** The sample events, each with a function that accepts it and the expected result. */
const cases: readonly [file: string, id: string, response: unknown][] = [
  ['api-gateway-request.json', 'retrieve-organisation', { statusCode: 200 }],
  [
    'api-gateway-post-form.json',
    'fulfil-members',
    { statusCode: 200, body: '{"members_fulfilled":0,"not_found":[7,8]}' },
  ],
  [
    'api-gateway-post-json.json',
    'fulfil-members',
    { statusCode: 200, body: '{"members_fulfilled":0,"not_found":[7,8]}' },
  ],
  ['dynamodb-stream-feed.json', 'publish-outbox', { batchItemFailures: [] }],
  ['sqs-bus-event.json', 'fan-out-members', { batchItemFailures: [] }],
  ['schedule.json', 'sweep-outbox', null],
];

describe('sample events', () => {
  it.each(cases)('the sample event %s is accepted by %s', async (file, id, response) => {
    const outcome = await invoke(id, file);
    if (response === null) expect(outcome).toBeNull();
    else expect(outcome).toMatchObject(response as object);
  });

  it('every sample event is used, by a function above or by the rules of the bus', () => {
    const used = [...cases.map(([file]) => file), 'event-bridge-event.json'];
    expect(readdirSync(folder).sort()).toEqual([...new Set(used)].sort());
  });

  it('the sample event of the bus clears the pending row', async () => {
    const hint = pendingHint(orgId, 'evt_01KA3V0M3ZJ2Q6T4W8X9Y5B7CD');
    const { name: TableName, client } = service.table;
    await client.send(new PutCommand({ TableName, Item: dueHintItem(hint, { type: 'member.created' }) }));
    await invoke('fan-out-members', 'sqs-bus-event.json');
    expect((await client.send(new GetCommand({ TableName, Key: dueHintKey(hint) }))).Item).toBeUndefined();
  });
});
