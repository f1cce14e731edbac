import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigConflict, MembershipConfigEditor } from '../../../shared/data/admin/membership-config-editor.ts';
import {
  configOf,
  readActivePaymentOptions,
  readCategoriesInOrder,
  readMembershipConfig,
  readTypesInOrder,
} from '../../../shared/data/membership/config.ts';
import { affectedTypes } from '../../../shared/data/membership/config-changes.ts';
import type { ConfigRecord } from '../../../shared/data/membership/config-rows.ts';
import { derivedCodeStockId, derivedEventId, derivedId } from '../../../shared/data/table/derived-id.ts';
import { membershipConfigPartition } from '../../../shared/data/table/keys.ts';
import type { Table } from '../../../shared/data/table/table.ts';
import { membershipTypeResource } from '../../../shared/mappers/membership-config.ts';
import { savedMember } from '../../../tools/fixtures/members.ts';
import { category, givenConfig, membershipType, paymentOption, seatMap } from '../../../tools/fixtures/membership.ts';
import { memberDraft } from '../../support/membership-members.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let organisations = 0;

beforeAll(async () => {
  ({ table } = await createTestTable());
});
afterAll(() => table.client.destroy());

function newOrganisation(): string {
  organisations += 1;
  return `org_config${organisations}`;
}

async function itemsOf(orgId: string): Promise<unknown[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': membershipConfigPartition(orgId) },
    }),
  );
  return Items;
}

describe('membership ids derived from codes', () => {
  it('a derived membership id is the same every time, for this organisation, kind and code only', () => {
    const id = derivedId('org_a', 'type', 'full');
    expect(derivedId('org_a', 'type', 'full')).toBe(id);
    const others = [
      derivedId('org_b', 'type', 'full'),
      derivedId('org_a', 'category', 'full'),
      derivedId('org_a', 'type', 'fulll'),
      // What counts the uses of a code has an id of its own too: it is stored as the stock of a type is.
      derivedCodeStockId('org_a', 'full'),
      derivedEventId('org_a', 'full'),
    ];
    expect(new Set([id, ...others]).size).toBe(6);
  });

  it('a derived membership id is a positive integer that JSON can hold, and 100,000 codes have distinct ids', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => derivedId('org_a', 'type', `code ${index}`));
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    // All 53 bits are used: half of the ids lie in the upper half.
    expect(ids.some((id) => id > Number.MAX_SAFE_INTEGER / 2)).toBe(true);
  });

  it('a derived membership id never changes, because members and clients store it', () => {
    expect(derivedId('org_harbourfc', 'type', 'full-season')).toBe(4860621951520803);
  });
});

describe('membership configuration lists', () => {
  it('membership lists are sorted by order_by and id, and types have the title of their category', async () => {
    const orgId = newOrganisation();
    const codes = ['a', 'b', 'c', 'd', 'e'];
    await givenConfig(
      table,
      orgId,
      category(orgId, 'season', { title: 'Saison', orderBy: 9 }),
      ...codes.map((code) => category(orgId, code, { orderBy: 3 })),
      ...codes.map((code) => membershipType(orgId, code, { orderBy: code === 'e' ? -1 : 5 })),
      ...['z', 'y', 'x'].map((code) => paymentOption(code, { orderBy: code === 'y' ? 1 : 2 })),
    );
    const byId = codes.map((code) => derivedId(orgId, 'category', code)).sort((a, b) => a - b);
    const categories = await readCategoriesInOrder(table, orgId);
    expect(categories.map(({ categoryId }) => categoryId)).toEqual([...byId, derivedId(orgId, 'category', 'season')]);

    const types = await readTypesInOrder(table, orgId);
    const typesById = codes
      .slice(0, 4)
      .map((code) => derivedId(orgId, 'type', code))
      .sort((a, b) => a - b);
    expect(types.map(({ type }) => type.typeId)).toEqual([derivedId(orgId, 'type', 'e'), ...typesById]);
    expect(new Set(types.map(({ category: own }) => own?.title))).toEqual(new Set(['Saison']));

    expect((await readActivePaymentOptions(table, orgId)).map(({ code }) => code)).toEqual(['y', 'x', 'z']);
  });

  it('list-membership-payment-options returns active options only', async () => {
    const orgId = newOrganisation();
    await givenConfig(table, orgId, paymentOption('old', { status: 0 }), paymentOption('new'));
    expect((await readActivePaymentOptions(table, orgId)).map(({ code }) => code)).toEqual(['new']);
  });

  it('membership lists are empty without a configuration, and never contain that of another organisation', async () => {
    const [mine, theirs] = [newOrganisation(), newOrganisation()];
    await givenConfig(table, theirs, category(theirs, 'season'), membershipType(theirs, 'full'), paymentOption('p'));
    expect(await readTypesInOrder(table, mine)).toEqual([]);
    expect(await readCategoriesInOrder(table, mine)).toEqual([]);
    expect(await readActivePaymentOptions(table, mine)).toEqual([]);
  });

  it('membership lists are complete even when they exceed one Query response', async () => {
    const orgId = newOrganisation();
    const image = `https://images.example.com/${'x'.repeat(50_000)}`;
    const codes = Array.from({ length: 25 }, (_, index) => `c${index}`);
    await givenConfig(table, orgId, ...codes.map((code) => category(orgId, code, { image })));
    expect(await readCategoriesInOrder(table, orgId)).toHaveLength(25);
  });

  it('membership lists cost one Query', async () => {
    const orgId = newOrganisation();
    await givenConfig(table, orgId, category(orgId, 'season'), membershipType(orgId, 'full'));
    table.meter.reset();
    await readTypesInOrder(table, orgId);
    expect(table.meter.calls).toBe(1);
  });
});

describe('money in membership types', () => {
  it.each([
    [240_500, '240.5'],
    [1, '0.001'],
    [19_990, '19.99'],
    [1_100, '1.1'],
    [0, '0'],
    [1_234_567_890, '1234567.89'],
  ])('%d thousandths are shown as %s, without floating point noise', (priceThousandths, shown) => {
    const type = membershipType('org_a', 'full', { priceThousandths });
    expect(JSON.stringify(membershipTypeResource({ type, category: undefined }).price)).toBe(shown);
  });
});

describe('saving a membership configuration', () => {
  it('saving a membership configuration reports what it did, and writes nothing when nothing changed', async () => {
    const orgId = newOrganisation();
    const editor = await MembershipConfigEditor.open(table, orgId);
    expect(await editor.save(seatMap(orgId, 'park'))).toBe('created');
    expect(await editor.save(seatMap(orgId, 'park', { title: 'Harbour Park' }))).toBe('updated');
    const before = await itemsOf(orgId);
    const again = await MembershipConfigEditor.open(table, orgId);
    expect(await again.save(seatMap(orgId, 'park', { title: 'Harbour Park' }))).toBe('unchanged');
    expect(await itemsOf(orgId)).toEqual(before);
  });

  it('saving a membership configuration does not overwrite a concurrent change', async () => {
    const orgId = newOrganisation();
    await givenConfig(table, orgId, seatMap(orgId, 'park'));
    const [mine, theirs] = [
      await MembershipConfigEditor.open(table, orgId),
      await MembershipConfigEditor.open(table, orgId),
    ];
    await theirs.save(seatMap(orgId, 'park', { title: 'Theirs' }));
    await theirs.save(seatMap(orgId, 'new', { title: 'Theirs' }));
    await expect(mine.save(seatMap(orgId, 'park', { title: 'Mine' }))).rejects.toThrow(ConfigConflict);
    await expect(mine.save(seatMap(orgId, 'new', { title: 'Mine' }))).rejects.toThrow(ConfigConflict);
    const { seatMaps } = await readMembershipConfig(table, orgId);
    expect([...seatMaps.values()].map(({ title }) => title)).toEqual(['Theirs', 'Theirs']);
  });

  it('saving many membership configuration rows concurrently loses none', async () => {
    const orgId = newOrganisation();
    const editor = await MembershipConfigEditor.open(table, orgId);
    const codes = Array.from({ length: 20 }, (_, index) => `s${index}`);
    await Promise.all(codes.map((code) => editor.save(seatMap(orgId, code))));
    expect(editor.config.seatMaps.size).toBe(20);
    expect((await readMembershipConfig(table, orgId)).seatMaps.size).toBe(20);
  });
});

describe('membership type data copied to members', () => {
  const orgId = 'org_a';
  const season = category(orgId, 'season', { seatMapId: 7 });
  const other = category(orgId, 'other');
  const full = membershipType(orgId, 'full');
  const half = membershipType(orgId, 'half');
  const elsewhere = membershipType(orgId, 'elsewhere', { categoryId: other.categoryId });
  const records = [season, other, full, half, elsewhere];
  const affected = (changed: ConfigRecord) =>
    affectedTypes(configOf(records), configOf([...records, changed])).map(({ typeId }) => typeId);

  it('copied type data is outdated by the titles of type and category, the category of a type and the seat map of a category', () => {
    expect(affected({ ...full, title: 'New' })).toEqual([full.typeId]);
    expect(affected({ ...season, title: 'New' })).toEqual([full.typeId, half.typeId]);
    expect(affected({ ...season, seatMapId: null })).toEqual([full.typeId, half.typeId]);
    expect(affected({ ...elsewhere, categoryId: season.categoryId })).toEqual([elsewhere.typeId]);
  });

  it('copied type data is not outdated by any other change', () => {
    expect(affected({ ...full, priceThousandths: 1, orderBy: 9, status: 0, expiresUnix: 1 })).toEqual([]);
    expect(affected({ ...season, orderBy: 9, hexColor: '#000000', image: null, status: 0 })).toEqual([]);
    expect(affected(membershipType(orgId, 'brand-new'))).toEqual([]);
  });

  it('copied type data is rewritten even when the process that changed the type crashed before it', async () => {
    const mine = newOrganisation();
    const map = seatMap(mine, 'park');
    const [own, type] = [category(mine, 'season'), membershipType(mine, 'full')];
    await givenConfig(table, mine, map, own, type);
    const { member } = await savedMember(
      table,
      mine,
      memberDraft('1', {
        typeId: type.typeId,
        typeTitle: type.title,
        categoryId: own.categoryId,
        categoryTitle: own.title,
      }),
      1_760_000_000,
    );

    const crashed = await MembershipConfigEditor.open(table, mine);
    await crashed.save({ ...own, title: 'Saison', seatMapId: map.seatMapId });

    const next = await MembershipConfigEditor.open(table, mine);
    expect(await next.save({ ...own, title: 'Saison', seatMapId: map.seatMapId })).toBe('unchanged');
    await next.refreshMembers();
    const settled = await savedMember(
      table,
      mine,
      { ...member, memberNumber: '1', categoryTitle: 'Saison', seatMapId: map.seatMapId },
      1_760_000_001,
    );
    expect(settled.outcome).toBe('unchanged');
    expect(JSON.stringify(await itemsOf(mine))).not.toContain('membersOutdated');
  });
});
