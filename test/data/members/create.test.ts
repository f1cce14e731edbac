import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handle as createOne } from '../../../functions/api/members/create-member.ts';
import { MembershipConfigEditor } from '../../../shared/data/admin/membership-config-editor.ts';
import { approximateMemberCount } from '../../../shared/data/members/count.ts';
import { everyMember } from '../../../shared/data/members/list.ts';
import { readMember } from '../../../shared/data/members/read.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { barcodeKey } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { createMember } from '../../../shared/operations/members/create-member.ts';
import { givenKey, givenOrganisation } from '../../../tools/fixtures/auth.ts';
import { givenCustomer } from '../../../tools/fixtures/customers.ts';
import { aMember, givenMembers } from '../../../tools/fixtures/members.ts';
import { category, givenConfig, givenFullConfig, membershipType } from '../../../tools/fixtures/membership.ts';
import { callOperation } from '../../support/call-operation.ts';
import { faultyTable, killedAt, measuredTable } from '../../support/faults/faulty-table.ts';
import { announcedOf } from '../../support/feed.ts';
import { Files, importInto } from '../../support/import-files.ts';
import { createTestTable } from '../../support/table.ts';
import { crashMoments } from '../../support/thorough.ts';

const noonMs = Date.UTC(2026, 10, 14, 12, 0, 0);
const noon = noonMs / 1000;
const files = new Files();
let table: Table;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterAll(() => files.remove());

interface Changes {
  readonly through?: Table;
  readonly nowMs?: number;
  readonly idempotencyKey?: string;
}

/** An organisation with an API key and a customer. */
async function givenClub() {
  organisations += 1;
  const orgId = await givenOrganisation(table, `org_create${organisations}`);
  const { text: bearer } = await givenKey(table, orgId);
  const { userId } = await givenCustomer(table, orgId);
  const least = { user_id: String(userId), first_name: 'Ada', last_name: 'Lovelace' };
  const create = (fields: object = {}, { through = table, nowMs = noonMs, ...rest }: Changes = {}) =>
    callOperation(createMember, createOne, { table: through, nowMs, bearer, body: { ...least, ...fields }, ...rest });
  return {
    orgId,
    userId,
    create,
    /** Creates a member and returns its row. */
    async created(fields: object = {}): Promise<MemberRecord> {
      const { status, body } = await create(fields);
      const member = status === 201 ? await readMember(table, orgId, Number(body.member_id)) : undefined;
      if (member === undefined) throw new Error(JSON.stringify(body));
      return member;
    },
    async members(): Promise<MemberRecord[]> {
      const all: MemberRecord[] = [];
      for await (const chunk of everyMember(table, orgId, planMembers({}))) all.push(...chunk);
      return all;
    },
  };
}

const numbersOf = (members: readonly MemberRecord[]) =>
  members.map(({ memberNumber }) => Number(memberNumber)).sort((a, b) => a - b);

describe('create-member', () => {
  it('create-member creates an unpaid, unfulfilled member with its own number and barcode, and announces it', async () => {
    const { orgId, userId, create, members } = await givenClub();
    const { status, body } = await create({ email_address: "o'brien@exämple.com", country_id: 36 });
    const [member] = await members();
    expect({ status, body }).toEqual({
      status: 201,
      body: { member_id: String(member?.memberId), first_name: 'Ada' },
    });
    expect(member).toMatchObject({
      userId,
      firstName: 'Ada',
      lastName: 'Lovelace',
      emailAddress: "o'brien@exämple.com",
      countryId: 36,
      memberNumber: '1',
      statusId: 0,
      fulfilled: 'no',
      createdUnix: noon,
      updatedUnix: null,
      typeId: null,
      marketingEmails: false,
    });
    expect(member?.barcode).toMatch(/^[0-9A-HJKMNP-TV-Z]{18}$/);
    const item = await table.client.send(
      new GetCommand({ TableName: table.name, Key: barcodeKey(orgId, member?.barcode ?? '') }),
    );
    expect(item.Item).toMatchObject({ kind: 'member', memberId: member?.memberId });
    expect(await announcedOf(table, orgId)).toMatchObject([
      {
        type: 'member.created',
        data: { member: { membership_member_id: member?.memberId, member_number: '1', membership_fulfilled: 'no' } },
      },
    ]);
    expect(await approximateMemberCount(table, orgId)).toBe(1);
  });

  it('create-member accepts a user_id as a number, as customers show it', async () => {
    const { userId, created } = await givenClub();
    expect(await created({ user_id: userId })).toMatchObject({ userId });
  });

  it('create-member refuses an inactive membership type, which keeps its members', async () => {
    const { orgId, create, members } = await givenClub();
    const old = membershipType(orgId, 'old', { status: 0 });
    await givenConfig(table, orgId, category(orgId, 'season'), old);
    const { status, body } = await create({ membership_type_id: old.typeId });
    expect([status, body]).toMatchObject([400, { error: { code: 'parameter_invalid', param: 'membership_type_id' } }]);
    expect(await members()).toEqual([]);
  });

  it('create-member accepts a date of birth of today in any time zone, and refuses a later one', async () => {
    const { create } = await givenClub();
    const dayAfter = (hours: number) => new Date(noonMs + hours * 3_600_000).toISOString().slice(0, 10);
    expect((await create({ date_of_birth: dayAfter(14) })).status).toBe(201);
    const { status, body } = await create({ date_of_birth: dayAfter(14 + 24) });
    expect([status, body]).toMatchObject([400, { error: { code: 'parameter_invalid', param: 'date_of_birth' } }]);
  });

  it('create-member copies the titles and the expiry of the type that are current when it writes', async () => {
    const { orgId, create, members } = await givenClub();
    await givenFullConfig(table, orgId);
    const type = membershipType(orgId, 'full', { expiresUnix: 1_793_451_600 });
    const renamed = faultyTable(table, async (send, attempt) => {
      if (attempt === 1) {
        const editor = await MembershipConfigEditor.open(table, orgId);
        await editor.save({ ...type, title: 'Renamed concurrently' });
      }
      return send();
    });
    expect((await create({ membership_type_id: type.typeId }, { through: renamed })).status).toBe(201);
    expect(await members()).toMatchObject([
      {
        typeId: type.typeId,
        typeTitle: 'Renamed concurrently',
        categoryTitle: 'Title of season',
        seatMapId: expect.any(Number),
        expiresUnix: 1_793_451_600,
      },
    ]);
  });

  it.each([
    ['a customer of another organisation', 'user_id'],
    ['a customer that does not exist', 'user_id'],
    ['a text that is not an id', 'user_id'],
    ['a membership type that does not exist', 'membership_type_id'],
  ])('create-member refuses a reference to %s', async (what, param) => {
    const [{ create, members }, other] = [await givenClub(), await givenClub()];
    const wrong: Readonly<Record<string, object>> = {
      'a customer of another organisation': { user_id: String(other.userId) },
      'a customer that does not exist': { user_id: '9007199254740991' },
      'a text that is not an id': { user_id: "x'; --" },
      'a membership type that does not exist': { membership_type_id: 7 },
    };
    const { status, body } = await create(wrong[what]);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'resource_missing', param } } });
    expect(await members()).toEqual([]);
  });

  it.each([
    [{ date_of_birth: '2026-02-30' }, 'date_of_birth', 'a date such as 1988-02-29'],
    [{ date_of_birth: 'yesterday' }, 'date_of_birth', 'a date such as 1988-02-29'],
    [{ email_address: 'nobody' }, 'email_address', 'an email address'],
    [{ email_address: `${'x'.repeat(250)}@x.com` }, 'email_address', 'a string of 1 to 254 characters'],
    [{ first_name: null }, 'first_name', 'a string of 1 to 200 characters'],
    [{ first_name: '' }, 'first_name', 'a string of 1 to 200 characters'],
    [{ last_name: 'x'.repeat(201) }, 'last_name', 'a string of 1 to 200 characters'],
    [{ last_name: ' \u3000' }, 'last_name', 'a UTF-8 string without control characters that is not only spaces'],
    [{ last_name: 'Love\u0000lace' }, 'last_name', 'a UTF-8 string without control characters that is not only spaces'],
    [{ user_id: true }, 'user_id', 'an id, as a number or as text'],
  ])('create-member with %j is refused, and the error says what is expected', async (fields, param, wanted) => {
    const { create } = await givenClub();
    expect((await create(fields)).body).toMatchObject({
      error: { code: 'parameter_invalid', param, message: `The parameter ${param} must be ${wanted}.` },
    });
  });
});

describe('member numbers', () => {
  it('member numbers of concurrent members are distinct and consecutive', async () => {
    const { create, members } = await givenClub();
    await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(numbersOf(await members())).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('member numbers continue after the highest imported number, in its form', async () => {
    const { orgId, created } = await givenClub();
    const rows = ['0000007', '0000041', 'A-99', '0000012'].map((member_number) => JSON.stringify({ member_number }));
    await importInto(table, { orgId, dataset: 'members', file: files.write('numbers.ndjson', rows.join('\n')) });
    expect((await created()).memberNumber).toBe('0000042');
    expect((await created()).memberNumber).toBe('0000043');
  });

  it('member numbers are never used twice, even when an import did not record the numbers it used', async () => {
    const { orgId, create, created, members } = await givenClub();
    const imported = Array.from({ length: 200 }, (_, index) => aMember({ memberNumber: String(index + 1) }));
    await givenMembers(table, orgId, imported);
    const measured = measuredTable(table);
    expect((await create({}, { through: measured.table })).status).toBe(201);
    // The search doubles its step: about seven attempts, not two hundred.
    expect(measured.calls.filter((name) => name === 'TransactWriteItemsCommand').length).toBeLessThanOrEqual(9);
    const { memberNumber } = await created();
    expect(Number(memberNumber)).toBeGreaterThan(200);
    const numbers = (await members()).map((member) => member.memberNumber);
    expect(new Set(numbers).size).toBe(202);
  });
});

describe('create-member with an Idempotency-Key', () => {
  it('create-member that is killed at any call and repeated with its Idempotency-Key creates one member', async () => {
    let kills = 0;
    for (let step = 1, isOver = false; !isOver; step += 1) {
      for (const when of crashMoments) {
        const { orgId, create, members } = await givenClub();
        await givenFullConfig(table, orgId);
        const fields = { membership_type_id: membershipType(orgId, 'full').typeId };
        const crashing = killedAt(table, step, when);
        await create(fields, { through: crashing.table, idempotencyKey: 'k' });
        crashing.table.client.destroy();
        isOver = !crashing.wasKilled();
        if (isOver) break;
        kills += 1;
        const again = await create(fields, { nowMs: noonMs + 61_000, idempotencyKey: 'k' });
        const [member, ...others] = await members();
        expect(again).toEqual({ status: 201, body: { member_id: String(member?.memberId), first_name: 'Ada' } });
        expect(others).toEqual([]);
        expect(await announcedOf(table, orgId)).toHaveLength(1);
      }
    }
    // Authentication, the claim of the key, the customer and the type, the number, the transaction, the row of the request log.
    expect(kills).toBe(7 * crashMoments.length);
  });

  it('create-member sent concurrently with one Idempotency-Key creates one member', async () => {
    const { create, members } = await givenClub();
    const responses = await Promise.all(Array.from({ length: 8 }, () => create({}, { idempotencyKey: 'k' })));
    expect(responses.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1);
    expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await members()).toHaveLength(1);
  });
});
