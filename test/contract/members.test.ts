import { request } from 'node:http';
import { createGunzip } from 'node:zlib';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToMemberCount } from '../../shared/data/members/count.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { memberKey } from '../../shared/data/table/keys.ts';
import { idOf } from '../../shared/domain/ids.ts';
import { aMember, givenMembers, someDay } from '../../tools/fixtures/members.ts';
import { type Service, type ServiceResponse, shareService } from '../support/service.ts';
import { someOf } from '../support/thorough.ts';

const [orgId, otherOrg, brokenOrg, hugeOrg] = ['org_members', 'org_othermembers', 'org_broken', 'org_huge'] as const;
/** More rows than one Query response holds, so the stream has several parts. */
const members: readonly MemberRecord[] = Array.from({ length: 1_500 }, (_, index) =>
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
  service = await shareService([orgId, otherOrg, brokenOrg, hugeOrg]);
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

const listOf = ({ body }: ServiceResponse): MemberList => body as MemberList;
const idsOf = (page: ServiceResponse): number[] => listOf(page).data.map((row) => row.membership_member_id);
const list = (query: string, apiKey: string = key): Promise<ServiceResponse> =>
  service.call(`/v1/members${query}`, { key: apiKey });

/** The raw response. fetch would decompress the body and hide how the connection ended. */
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
        // Text is decoded at the end, because a part may end in the middle of a character.
        const parts: Buffer[] = [];
        source.on('data', (part: Buffer) => parts.push(part));
        source.on('error', () => undefined);
        response.on('error', () => undefined);
        const end = (): void =>
          resolve({ headers: response.headers, text: Buffer.concat(parts).toString(), complete: response.complete });
        source.on('end', end);
        // An aborted response never ends; a complete one may still be decompressing.
        response.on('close', () => response.complete || setTimeout(end, 50));
      },
    );
    // The connection was aborted before the first byte. A client does not mistake that for a complete list either.
    call.on('error', () => resolve({ headers: {}, text: '', complete: false }));
    call.end();
  });
}

describe('list-members without a limit, streamed in one response', () => {
  it('list-members streams every member and has_more is false', async () => {
    const page = await list('');
    expect(page.status).toBe(200);
    expect(idsOf(page)).toEqual(members.map(({ memberId }) => memberId));
    expect(page.body).toMatchObject({
      object: 'members',
      url: `${service.cloud.url}/v1/members`,
      has_more: false,
      next_cursor: null,
    });
    expect(listOf(page).data[0]).toMatchObject({ first_name: 'Zoë 🎫 "quoted"\n', seat_row: null, auto_renew: 0 });
  });

  it('list-members compresses the stream for clients that accept gzip, with the same text', async () => {
    const [packed, plain] = [await rawList({ 'Accept-Encoding': 'gzip' }), await rawList({})];
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(packed.text).toBe(plain.text);
    expect(JSON.parse(plain.text).data).toHaveLength(members.length);
  });

  it.each(someOf(['*;q=0.5, gzip;q=0.0', 'gzip;q=0', 'gzip;q=0, *', 'identity'], 4))(
    'list-members does not compress for Accept-Encoding: %s',
    async (accepted) => {
      const { headers, text } = await rawList({ 'Accept-Encoding': accepted });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(JSON.parse(text).data).toHaveLength(members.length);
    },
  );

  it('list-members applies filters to the stream', async () => {
    const page = await list('?membership_member_status_id=3');
    expect(idsOf(page)).toEqual(members.filter(({ statusId }) => statusId === 3).map(({ memberId }) => memberId));
  });

  it('list-members streams an empty list for an organisation without members', async () => {
    expect(listOf(await list('', await service.newKey(otherOrg))).data).toEqual([]);
  });

  it('list-members aborts the connection when a row cannot be read, instead of ending as a valid shorter list', async () => {
    const { text, complete } = await rawList({}, await service.newKey(brokenOrg));
    expect(complete).toBe(false);
    expect(() => JSON.parse(text)).toThrow();
  });

  it('list-members refuses before the first byte when the list is too large, and recommends a cursor', async () => {
    const token = await service.newKey(hugeOrg);
    await addToMemberCount(service.table, hugeOrg, 10_000_000);
    const page = await list('', token);
    expect(page.status).toBe(400);
    expect(page.body).toMatchObject({
      error: { code: 'too_many_members', message: expect.stringContaining('cursor') },
    });
    expect((await list('?limit=5', token)).status).toBe(200);
  });

  it('list-members streams a filtered list of a large organisation when few members match', async () => {
    const token = await service.newKey(hugeOrg);
    await addToMemberCount(service.table, hugeOrg, 10_000_000);
    const page = await list('?membership_member_status_id=2', token);
    expect(page).toMatchObject({ status: 200, body: { has_more: false, next_cursor: null, data: [] } });
  });
});

describe('list-members pages', () => {
  it('list-members returns every member once when read by cursor', async () => {
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`?limit=500${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      seen.push(...idsOf(page));
      ({ next_cursor: cursor } = listOf(page));
      expect(listOf(page).has_more).toBe(cursor !== null);
    }
    expect(seen).toEqual(members.map(({ memberId }) => memberId));
  });

  it('list-members returns the same rows by page number, and an empty page after the end', async () => {
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
  ])('list-members refuses %s', async (query, code, param) => {
    expect((await list(query)).body).toMatchObject({ error: { code, param } });
  });

  it('list-members refuses a cursor that was changed or that belongs to another organisation or other filters', async () => {
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

describe('log of a streamed response', () => {
  it('the log line of a streamed list-members contains the read units of the whole stream', async () => {
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
