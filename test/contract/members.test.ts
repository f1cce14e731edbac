import { request } from 'node:http';
import { createGunzip } from 'node:zlib';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToMemberCount } from '../../shared/data/members/count.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { memberKey } from '../../shared/data/table/keys.ts';
import { idOf } from '../../shared/domain/ids.ts';
import { aMember, givenMembers, someDay } from '../support/members.ts';
import { type Answer, type Service, startService } from '../support/service.ts';

const [orgId, otherOrg, brokenOrg, hugeOrg] = ['org_club', 'org_other', 'org_broken', 'org_huge'] as const;
/** More than one answer of the table holds, so that the stream has several parts. */
const members: readonly MemberRecord[] = Array.from({ length: 2_500 }, (_, index) =>
  aMember({
    memberId: idOf(someDay + index, 1),
    createdUnix: someDay + index,
    memberNumber: `M${index}`,
    firstName: 'Zoë 🎫 "quoted"\n',
    address: 'x'.repeat(400),
    statusId: index % 10 === 0 ? 3 : 1,
  }),
);

let service: Service;
let key: string;

beforeAll(async () => {
  service = await startService([orgId, otherOrg, brokenOrg, hugeOrg], { schedules: 'off' });
  key = await service.newKey(orgId);
  await givenMembers(service.table, orgId, members);
  await givenMembers(service.table, brokenOrg, members);
  const broken = { ...memberKey(brokenOrg, idOf(someDay + 5_000, 1)), memberId: 'not a number' };
  await service.table.client.send(new PutCommand({ TableName: service.table.name, Item: broken }));
});
afterAll(() => service.stop());

interface MemberList {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly data: readonly { membership_member_id: number }[];
}

const listOf = ({ body }: Answer): MemberList => body as MemberList;
const idsOf = (answer: Answer): number[] => listOf(answer).data.map((row) => row.membership_member_id);
const list = (query: string, with_: string = key): Promise<Answer> =>
  service.call(`/v1/members${query}`, { key: with_ });

/** The raw response: fetch would unpack what is compressed and hide how the connection ended. */
function rawList(
  headers: Record<string, string>,
  token = key,
): Promise<{ headers: Record<string, unknown>; text: string; complete: boolean }> {
  return new Promise((resolve) => {
    const call = request(
      `${service.cloud.url}/v1/members`,
      { headers: { Authorization: `Bearer ${token}`, ...headers } },
      (response) => {
        const compressed = response.headers['content-encoding'] === 'gzip';
        const source = compressed ? response.pipe(createGunzip()) : response;
        // Characters are put together at the end: a part may stop in the middle of one.
        const parts: Buffer[] = [];
        source.on('data', (part: Buffer) => parts.push(part));
        source.on('error', () => undefined);
        response.on('error', () => undefined);
        const end = (): void =>
          resolve({ headers: response.headers, text: Buffer.concat(parts).toString(), complete: response.complete });
        source.on('end', end);
        // What broke off has no end; what came whole may still be unpacked.
        response.on('close', () => response.complete || setTimeout(end, 50));
      },
    );
    // Broken off before the first byte reached us: also an end that nobody takes for a whole list.
    call.on('error', () => resolve({ headers: {}, text: '', complete: false }));
    call.end();
  });
}

describe('every member in one response', () => {
  it('is whole and exact, and says that nothing more follows', async () => {
    const answer = await list('');
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toEqual(members.map(({ memberId }) => memberId));
    expect(answer.body).toMatchObject({
      object: 'members',
      url: `${service.cloud.url}/v1/members`,
      has_more: false,
      next_cursor: null,
    });
    expect(listOf(answer).data[0]).toMatchObject({ first_name: 'Zoë 🎫 "quoted"\n', seat_row: null, auto_renew: 0 });
  });

  it('is compressed for who accepts it, and the same text', async () => {
    const [packed, plain] = [await rawList({ 'Accept-Encoding': 'gzip' }), await rawList({})];
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(packed.text).toBe(plain.text);
    expect(JSON.parse(plain.text).data).toHaveLength(members.length);
  });

  it('respects filters', async () => {
    const answer = await list('?membership_member_status_id=3');
    expect(idsOf(answer)).toEqual(members.filter(({ statusId }) => statusId === 3).map(({ memberId }) => memberId));
  });

  it('is empty for an organisation that has none', async () => {
    expect(listOf(await list('', await service.newKey(otherOrg))).data).toEqual([]);
  });

  it('breaks the connection off when a row cannot be read, instead of ending as a valid shorter list', async () => {
    const { text, complete } = await rawList({}, await service.newKey(brokenOrg));
    expect(complete).toBe(false);
    expect(() => JSON.parse(text)).toThrow();
  });

  it('is refused before the first byte when it cannot fit, and names the way out', async () => {
    const token = await service.newKey(hugeOrg);
    await addToMemberCount(service.table, hugeOrg, 10_000_000);
    const answer = await list('', token);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: { code: 'too_many_members', message: expect.stringContaining('cursor') },
    });
    expect((await list('?limit=5', token)).status).toBe(200);
  });

  it('is given where a filter leaves few of more members than would fit', async () => {
    const token = await service.newKey(hugeOrg);
    await addToMemberCount(service.table, hugeOrg, 10_000_000);
    const answer = await list('?membership_member_status_id=2', token);
    expect(answer).toMatchObject({ status: 200, body: { has_more: false, next_cursor: null, data: [] } });
  });
});

describe('pages', () => {
  it('by cursor walk the whole list once', async () => {
    const met: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await list(`?limit=500${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      met.push(...idsOf(answer));
      ({ next_cursor: cursor } = listOf(answer));
      expect(listOf(answer).has_more).toBe(cursor !== null);
    }
    expect(met).toEqual(members.map(({ memberId }) => memberId));
  });

  it('by number are the same rows, and an end that is no error', async () => {
    expect(idsOf(await list('?limit=100&page_number=3'))).toEqual(
      members.slice(200, 300).map(({ memberId }) => memberId),
    );
    expect((await list('?limit=100&page_number=26')).body).toMatchObject({
      data: [],
      has_more: false,
      next_cursor: null,
    });
  });

  it.each([
    ['?page_number=1', 'parameter_missing', 'limit'],
    ['?cursor=x', 'parameter_missing', 'limit'],
    ['?limit=5&page_number=1&cursor=x', 'parameter_conflict', 'page_number'],
    ['?limit=5&cursor=nonsense', 'cursor_invalid', 'cursor'],
    ['?limit=5&cursor=', 'cursor_invalid', 'cursor'],
  ])('refuse %s', async (query, code, param) => {
    expect((await list(query)).body).toMatchObject({ error: { code, param } });
  });

  it('refuse a cursor that was changed, of another organisation, or of other filters', async () => {
    const cursor = String(listOf(await list('?limit=5')).next_cursor);
    const refused = { error: { code: 'cursor_invalid' } };
    const last = cursor.at(-1) === 'A' ? 'B' : 'A';
    expect((await list(`?limit=5&cursor=${cursor.slice(0, -1)}${last}`)).body).toMatchObject(refused);
    expect((await list(`?limit=5&cursor=x${cursor}`)).body).toMatchObject(refused);
    expect((await list(`?limit=5&membership_fulfilled=no&cursor=${cursor}`)).body).toMatchObject(refused);
    expect((await list(`?limit=5&cursor=${cursor}`, await service.newKey(otherOrg))).body).toMatchObject(refused);
    expect((await list(`?limit=7&cursor=${cursor}`)).status).toBe(200);
  });
});

describe('a log line of a stream', () => {
  it('tells what the whole stream cost', async () => {
    service.logs.length = 0;
    await list('');
    const cost = (): number => {
      const line = service.logs.find(
        (text) => text.includes('"operation":"list-members"') && text.includes('read_units'),
      );
      return line === undefined ? 0 : JSON.parse(line.replace(/^[^{]*/, '')).read_units;
    };
    await expect.poll(cost).toBeGreaterThan(100);
  });
});
