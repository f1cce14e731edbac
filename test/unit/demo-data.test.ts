import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type DemoData, demoData } from '../../local/demo/data.ts';
import { configOf } from '../../shared/data/membership/config.ts';
import { memberTypeCopy } from '../../shared/data/membership/config-changes.ts';
import { derivedId } from '../../shared/data/table/derived-id.ts';
import { createdUnixOf } from '../../shared/domain/ids.ts';
import { customerResource } from '../../shared/mappers/customer.ts';
import { memberResource } from '../../shared/mappers/member.ts';
import { membershipPaymentOptionResource, membershipTypeResource } from '../../shared/mappers/membership-config.ts';
import { Customer } from '../../shared/operations/schemas/customer.ts';
import { Member } from '../../shared/operations/schemas/member.ts';
import { MembershipPaymentOption } from '../../shared/operations/schemas/membership-payment-option.ts';
import { MembershipType } from '../../shared/operations/schemas/membership-type.ts';

const today = Date.UTC(2026, 10, 14) / 1000;
const day = 86_400;

const given = (orgId: string, todayUnix = today): DemoData => demoData(orgId, todayUnix);

const unique = (values: readonly unknown[]): boolean => {
  const present = values.filter((value) => value !== null);
  return new Set(present).size === present.length;
};

describe.each([
  ['org_harbourfc', 1_500, 600],
  ['org_lantern', 80, 50],
])('demo data of %s', (orgId, memberCount, customerCount) => {
  const data = given(orgId);
  const { members, customers } = data;
  const config = configOf(data.config);

  it('demo data is the same every time, and on another day has the same people with later dates', () => {
    expect(given(orgId)).toEqual(data);
    const later = given(orgId, today + 40 * day);
    expect(later.members.map(({ firstName, lastName }) => [firstName, lastName])).toEqual(
      members.map(({ firstName, lastName }) => [firstName, lastName]),
    );
    expect(later.members.map(({ createdUnix }) => createdUnix - 40 * day)).toEqual(
      members.map(({ createdUnix }) => createdUnix),
    );
  });

  it('demo data has the expected number of people, without duplicates', () => {
    expect([members.length, customers.length]).toEqual([memberCount, customerCount]);
    expect(unique([...members.map(({ memberId }) => memberId), ...customers.map(({ userId }) => userId)])).toBe(true);
    expect(unique(members.map(({ memberNumber }) => memberNumber))).toBe(true);
    expect(unique(members.map(({ barcode }) => barcode))).toBe(true);
    expect(unique(members.map(({ seatId }) => seatId))).toBe(true);
    expect(unique(customers.map(({ orgCustomerId }) => orgCustomerId))).toBe(true);
    expect(unique(customers.map(({ emailAddress }) => emailAddress))).toBe(true);
  });

  it('demo data matches the response schemas', () => {
    for (const record of members) v.parse(Member, memberResource(record));
    for (const record of customers) v.parse(Customer, customerResource(orgId, record));
    for (const type of config.types.values())
      v.parse(MembershipType, membershipTypeResource({ type, category: undefined }));
    for (const option of config.paymentOptions.values()) {
      v.parse(MembershipPaymentOption, membershipPaymentOptionResource(option));
    }
  });

  it('demo data is consistent: types, seat maps, links and times', () => {
    const userIds = new Set<number | null>(customers.map(({ userId }) => userId));
    for (const member of members) {
      const type = config.types.get(member.typeId ?? 0);
      if (type === undefined) throw new Error(`Member ${member.memberNumber} holds a type that is not offered.`);
      expect(member).toMatchObject(memberTypeCopy(config, type));
      expect(member.userId === null || userIds.has(member.userId)).toBe(true);
      expect(createdUnixOf(member.memberId)).toBe(member.createdUnix);
      expect(member.createdUnix).toBeLessThanOrEqual(today);
      expect(member.updatedUnix ?? member.createdUnix).toBeGreaterThanOrEqual(member.createdUnix);
      expect(member.updatedUnix ?? 0).toBeLessThanOrEqual(today);
      expect(member.fulfilled === 'yes').toBe(member.fulfilledUnix !== null);
    }
    for (const category of config.categories.values()) {
      expect(category.categoryId).toBe(derivedId(orgId, 'category', category.code));
      expect(category.seatMapId === null || config.seatMaps.has(category.seatMapId)).toBe(true);
    }
  });

  it('demo data has an example of everything that a list can be filtered by', () => {
    expect(new Set(members.map(({ statusId }) => statusId)).size).toBe(4);
    expect(new Set(members.map(({ fulfilled }) => fulfilled)).size).toBe(2);
    // Nobody holds a membership of the next season yet.
    const types = [...config.types.values()].filter(({ code }) => !code.endsWith('-next'));
    expect(new Set(members.map(({ typeId }) => typeId))).toEqual(new Set(types.map(({ typeId }) => typeId)));
    expect(members.some(({ seatMapId }) => seatMapId !== null)).toBe(true);
    expect(members.some(({ updatedUnix }) => updatedUnix === null)).toBe(true);
    expect(members.some(({ userId }) => userId !== null)).toBe(true);
    expect(customers.some(({ lastName }) => /[^ -~]/.test(lastName ?? ''))).toBe(true);
  });
});
