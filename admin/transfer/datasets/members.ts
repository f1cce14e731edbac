import { refreshMembersSince } from '../../../shared/data/admin/membership-config-editor.ts';
import { memberByNumber, saveMember } from '../../../shared/data/admin/save-member.ts';
import { customerIdClaim } from '../../../shared/data/customers/items.ts';
import { findClaimHolder, readCustomer } from '../../../shared/data/customers/read.ts';
import { addToMemberCount } from '../../../shared/data/members/count.ts';
import { everyMember } from '../../../shared/data/members/list.ts';
import { passMemberNumber } from '../../../shared/data/members/numbers.ts';
import type { MemberRecord } from '../../../shared/data/members/row.ts';
import { type MembershipConfig, readMembershipConfig } from '../../../shared/data/membership/config.ts';
import { typeOfMembers } from '../../../shared/data/membership/config-changes.ts';
import { derivedId } from '../../../shared/data/table/derived-id.ts';
import { planMembers } from '../../../shared/domain/members/filters.ts';
import { type NumberSequence, positionInSequence } from '../../../shared/domain/members/number.ts';
import { defineKind, type IsGiven, type SaveResult, type Scope } from '../dataset.ts';
import { blankMember, changedMember, MemberRow, memberOfRow, memberRow } from './member-row.ts';

const noType = { typeId: null, typeTitle: null, categoryId: null, categoryTitle: null, seatMapId: null };
const rowsReadAtOnce = 32;
const consistent = { consistent: true } as const;

export const members = defineKind({
  name: 'members',
  things: 'members',
  key: 'member_number',
  schema: MemberRow,
  async open(scope) {
    const { table, orgId, nowUnix } = scope;
    let config = await readMembershipConfig(table, orgId, consistent);
    let created = 0;
    let highest: NumberSequence | undefined;
    const saw = (memberNumber: string): void => {
      const place = positionInSequence(memberNumber);
      if (place !== undefined && place.last > (highest?.last ?? -1)) highest = place;
    };
    return {
      blank: { ...blankMember, created: nowUnix },
      async find(key) {
        saw(key);
        const record = await memberByNumber(table, orgId, key);
        return record && toRow(record, config, scope);
      },
      keepsTheRest: true,
      async save(row, isGiven) {
        saw(row.member_number);
        const result = await save(row, isGiven, config, scope);
        if (result === 'created') created += 1;
        return result;
      },
      async settle() {
        if (created > 0) await addToMemberCount(table, orgId, created);
        created = 0;
        // Members who are created later get numbers after these.
        if (highest !== undefined) await passMemberNumber(table, orgId, highest);
        highest = undefined;
        config = await refreshMembersSince(table, orgId, config);
      },
    };
  },
  async *rows(scope) {
    const config = await readMembershipConfig(scope.table, scope.orgId);
    for await (const records of everyMember(scope.table, scope.orgId, planMembers({}))) {
      // A member without a number cannot be told from another when it comes in again.
      const numbered = records.filter(({ memberNumber }) => memberNumber !== null);
      for (let start = 0; start < numbered.length; start += rowsReadAtOnce) {
        const some = numbered.slice(start, start + rowsReadAtOnce);
        yield* await Promise.all(some.map((record) => toRow(record, config, scope)));
      }
    }
  },
});

async function save(
  row: MemberRow,
  isGiven: IsGiven,
  config: MembershipConfig,
  { table, orgId, nowUnix }: Scope,
): Promise<SaveResult> {
  const type =
    row.membership_type_code === null
      ? undefined
      : config.types.get(derivedId(orgId, 'type', row.membership_type_code));
  if (row.membership_type_code !== null && type === undefined) {
    return { rejected: `membership_type_code names no membership type: "${row.membership_type_code}".` };
  }
  const userId =
    row.org_customer_id === null
      ? undefined
      : await findClaimHolder(table, customerIdClaim(orgId, row.org_customer_id), consistent);
  if (row.org_customer_id !== null && userId === undefined) {
    return { rejected: `org_customer_id names no customer: "${row.org_customer_id}".` };
  }
  const referred = {
    ...(type === undefined ? noType : typeOfMembers(config, type)),
    userId: userId ?? null,
    // Clients ask for what changed since they last asked: a member of old who comes in now is new to them.
    updatedUnix: row.created < nowUnix ? nowUnix : null,
  };
  const saved = await saveMember(table, {
    orgId,
    memberNumber: row.member_number,
    nowUnix,
    draft: (current) => (current ? changedMember(current, { row, referred, isGiven }) : memberOfRow(row, referred)),
  });
  if (saved.outcome !== 'barcode_taken') return saved.outcome;
  return {
    rejected: `barcode belongs to another member or a ticket already: "${saved.barcode}".`,
    mayPassLater: true,
  };
}

async function toRow(record: MemberRecord, config: MembershipConfig, { table, orgId }: Scope): Promise<MemberRow> {
  const { typeId, userId } = record;
  const customer = userId === null ? undefined : await readCustomer(table, orgId, userId);
  return memberRow(record, {
    membership_type_code: typeId === null ? null : (config.types.get(typeId)?.code ?? null),
    org_customer_id: customer?.orgCustomerId ?? null,
  });
}
