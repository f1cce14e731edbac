import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMember } from '../../shared/data/members/read.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { parseBusMessage } from '../../shared/outbox/event-reference.ts';
import { createContractFixture, userIdOf } from '../../tools/fixtures/contract/contract-fixture.ts';
import { formOf } from '../../tools/fixtures/contract/examples.ts';
import { aMember, givenMembers } from '../../tools/fixtures/members.ts';
import { announcedOf, pendingOf } from '../support/feed.ts';
import { fieldsOf, rowsOf } from '../support/fields-of.ts';
import { type Service, type ServiceResponse, shareService } from '../support/service.ts';
import { readStack } from '../support/template.ts';
import { longSuite } from '../support/thorough.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';
import { givenEndpoint } from '../support/webhooks/service-fixture.ts';

const [orgId, otherOrg] = ['org_club', 'org_quiet'] as const;
const members: readonly MemberRecord[] = Array.from({ length: 4 }, () => aMember());
const [first = 0, second = 0, third = 0, fourth = 0] = members.map(({ memberId }) => memberId);
const otherMember = aMember();

let service: Service;
let key: string;
let otherKey: string;

beforeAll(async () => {
  service = await shareService([orgId, otherOrg], { schedules: 'on' });
  [key, otherKey] = [await service.newKey(orgId), await service.newKey(otherOrg)];
  await createContractFixture(service.table, orgId);
  await givenMembers(service.table, orgId, members);
  await givenMembers(service.table, otherOrg, [otherMember]);
});
afterAll(() => service.stop());

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };
const member = (id: number) => readMember(service.table, orgId, id);
const item = (id: number, code?: string | null) => ({ membership_member_id: id, fulfillment_tracking_code: code });

function fulfil(body: string, headers: Record<string, string>, token = key): Promise<ServiceResponse> {
  return service.call('/v1/members/fulfilments', { method: 'POST', key: token, headers, body });
}
const fulfilJson = (items: unknown, token = key) => fulfil(JSON.stringify({ members: items }), json, token);

const create = (headers: Record<string, string> = {}, fields: object = {}) =>
  service.call('/v1/members', {
    method: 'POST',
    key,
    headers: { ...json, ...headers },
    body: JSON.stringify({ user_id: String(userIdOf(orgId)), first_name: 'Zoë', last_name: 'O’Hara', ...fields }),
  });

describe('fulfil-members API', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const withCodes = (count: number) => ids(count).map((id) => item(id, 'AB1'));

  it.each([
    {
      what: '501 as JSON',
      body: JSON.stringify({ members: ids(501).map((id) => item(id)) }),
      headers: json,
      refused: { code: 'parameter_invalid', param: 'members' },
    },
    {
      what: '501 as a form of 1,002 pairs',
      body: formOf({ members: withCodes(501) }),
      headers: form,
      refused: { code: 'body_invalid', param: null },
    },
    {
      what: '501 as a form of 501 pairs',
      body: formOf({ members: ids(501).map((id) => ({ membership_member_id: id })) }),
      headers: form,
      refused: { code: 'parameter_invalid', param: 'members' },
    },
    { what: 'none', body: '{"members":[]}', headers: json, refused: { code: 'parameter_invalid', param: 'members' } },
    { what: 'no list', body: '{}', headers: json, refused: { code: 'parameter_missing', param: 'members' } },
    {
      what: 'one without an id',
      body: JSON.stringify({ members: [item(1), {}] }),
      headers: json,
      refused: { code: 'parameter_missing', param: 'members[1].membership_member_id' },
    },
    {
      what: 'one whose id is not a number',
      body: JSON.stringify({ members: [item(1), { membership_member_id: '7a' }] }),
      headers: json,
      refused: { code: 'parameter_invalid', param: 'members[1].membership_member_id' },
    },
  ])('fulfil-members with $what is a 400 and writes nothing', async ({ body, headers, refused }) => {
    // The first id in the list exists, so a wrong implementation could write something.
    const named = body.replace(/membership_member_id(":|%5D=)1\b/, `membership_member_id$1${otherMember.memberId}`);
    const response = await fulfil(named, headers, otherKey);
    expect({ status: response.status, body: response.body }).toMatchObject({ status: 400, body: { error: refused } });
    expect(await readMember(service.table, otherOrg, otherMember.memberId)).toEqual(otherMember);
    expect(await announcedOf(service.table, otherOrg)).toEqual([]);
  });

  it('fulfil-members accepts 500 members as a form of 1,000 pairs', async () => {
    const response = await fulfil(formOf({ members: withCodes(500) }), form);
    expect(response.body).toEqual({ members_fulfilled: 0, not_found: ids(500) });
  });

  it('fulfil-members reads the same from a form and from JSON', async () => {
    const list = (id: number) => [item(id, 'A B+1&ü'), { membership_member_id: 9 }];
    const [asForm, asJson] = [await fulfil(formOf({ members: list(first) }), form), await fulfilJson(list(second))];
    expect(asForm.body).toEqual({ members_fulfilled: 1, not_found: [9] });
    expect(asJson.body).toEqual(asForm.body);
    const [one, other] = [await member(first), await member(second)];
    expect([one?.trackingCode, one?.fulfilled]).toEqual(['A B+1&ü', 'yes']);
    expect([other?.trackingCode, other?.fulfilled]).toEqual([one?.trackingCode, one?.fulfilled]);
  });

  it.each([null, ''])('fulfil-members reads an id in digits, and a tracking code of %j as none', async (code) => {
    await fulfilJson([item(first, 'A B+1&ü')]);
    const response = await fulfilJson([{ membership_member_id: String(first), fulfillment_tracking_code: code }]);
    expect(response.body).toEqual({ members_fulfilled: 1, not_found: [] });
    expect(await member(first)).toMatchObject({ fulfilled: 'yes', trackingCode: 'A B+1&ü' });
  });

  it('fulfil-members reports a member of another organisation as not found', async () => {
    const response = await fulfilJson([item(first, 'THEIRS')], otherKey);
    expect(response.body).toEqual({ members_fulfilled: 0, not_found: [first] });
    expect(await member(first)).toMatchObject({ trackingCode: 'A B+1&ü' });
  });
});

describe('set-tracking-code API', () => {
  it('set-tracking-code clears the code when a form sends an empty value', async () => {
    const path = `/v1/members/${first}/fulfillment_tracking_code`;
    const response = await service.call(path, {
      method: 'PUT',
      key,
      headers: form,
      body: 'fulfillment_tracking_code=',
    });
    expect(response.body).toEqual({ membership_member_id: String(first), fulfillment_tracking_code: null });
    expect(await member(first)).toMatchObject({ fulfilled: 'yes', trackingCode: null });
  });
});

describe('create-member API', () => {
  it('create-member creates one member per Idempotency-Key', async () => {
    const [one, again] = [await create({ 'Idempotency-Key': 'once' }), await create({ 'Idempotency-Key': 'once' })];
    expect(one.status).toBe(201);
    expect(Object.keys(fieldsOf(one.body)).sort()).toEqual(['first_name', 'member_id']);
    expect(again.body).toEqual(one.body);
    const other = await create({ 'Idempotency-Key': 'once' }, { last_name: 'Else' });
    expect(other.body).toMatchObject({ error: { code: 'idempotency_mismatch' } });
  });

  it('create-member refuses a name with half a surrogate pair', async () => {
    const body = '{"user_id":"1","first_name":"\\ud83c","last_name":"x"}';
    const response = await service.call('/v1/members', { method: 'POST', key, headers: json, body });
    expect(response.body).toMatchObject({ error: { code: 'body_invalid' } });
  });
});

longSuite('member events', () => {
  const stack = readStack('probe');
  const feeds = (id: string, enabled: boolean) =>
    service.cloud.setEventSource(stack.functionOf({ id }).logicalId, enabled);
  const arrived = new Set<string>();
  let sqs: SQSClient;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    const { region, accessKeyId, secretAccessKey } = service.cloud.operator;
    const credentials = { accessKeyId, secretAccessKey };
    sqs = new SQSClient({ region, endpoint: service.cloud.endpoints.sqs, credentials });
  });
  afterAll(async () => {
    for (const id of ['publish-outbox', 'fan-out-members']) await feeds(id, true);
    sqs.destroy();
    await receiver.stop();
  });

  /** Receives what is in the queue of member events; waits up to a second for the first message. */
  async function receive(): Promise<void> {
    const [queue] = stack
      .ofType('AWS::SQS::Queue')
      .filter(({ logicalId }) => /Eventsmembers[0-9A-F]{8}$/.test(logicalId));
    const QueueUrl = service.cloud.physicalId(queue?.logicalId ?? '');
    const input = { QueueUrl, WaitTimeSeconds: 1, MaxNumberOfMessages: 10 };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(input));
    for (const { Body = '' } of Messages) arrived.add(parseBusMessage(JSON.parse(Body)).eventId);
  }

  /** The sweeper ends events that were delivered more than two minutes ago. */
  async function untilSwept(): Promise<void> {
    const sweep = () => {
      service.cloud.clock.advance(181);
      return pendingOf(service.table, orgId);
    };
    await expect.poll(sweep, { timeout: 50_000, interval: 2_000 }).toEqual([]);
  }

  async function untilAllArrived(): Promise<void> {
    const expected = (await announcedOf(service.table, orgId)).map(({ id }) => id);
    while (!expected.every((id) => arrived.has(id))) await receive();
  }

  it('member events reach their queue, even while the stream consumer is disabled, and leave the outbox when they are handled', async () => {
    await untilSwept();
    // The sweeper publishes an event again only if an endpoint should receive it.
    await givenEndpoint(service, { orgId, key }, { url: receiver.url, types: ['member.created', 'member.updated'] });
    // From here on nothing empties the queue.
    await feeds('fan-out-members', false);
    for (const { id } of await announcedOf(service.table, orgId)) arrived.add(id);
    const known = arrived.size;

    await create();
    await untilAllArrived();
    expect(arrived.size).toBe(known + 1);

    await feeds('publish-outbox', false);
    await fulfilJson([item(third), item(fourth, 'AB1')]);
    expect(await pendingOf(service.table, orgId)).toHaveLength(3);
    await receive();
    expect(arrived.size).toBe(known + 1);
    service.cloud.clock.advance(181);
    await untilAllArrived();
    expect(arrived.size).toBe(known + 3);

    await feeds('publish-outbox', true);
    await feeds('fan-out-members', true);
    // Longer than the visibility timeout of a received message.
    service.cloud.clock.advance(600);
    await expect.poll(() => receiver.arrivals.length, { timeout: 50_000 }).toBe(3);
    await untilSwept();
  });

  it('list-webhook-events returns the member events of an organisation', async () => {
    service.cloud.clock.advance(10);
    const { body } = await service.call('/v1/webhook_events', { key });
    const events = rowsOf(fieldsOf(body).data);
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'member.created').length).toBe(2);
    expect(events.at(-1)).toMatchObject({
      type: 'member.updated',
      org_id: orgId,
      data: { fulfilled_at: expect.any(Number), member: { membership_fulfilled: 'yes' } },
    });
  });
});
