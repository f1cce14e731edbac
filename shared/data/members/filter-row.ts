import * as v from 'valibot';
import { createdUnixOf } from '../../domain/ids.ts';
import type { FilteredMember } from '../../domain/members/filters.ts';
import { packFields, unpackFields } from '../../domain/members/packed-filters.ts';
import { memberFilterKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactItem } from '../table/transact.ts';
import type { MemberRecord } from './row.ts';

/**
 * The fields of a member that filters compare. A list with several filters reads these rows instead of the members: about
 * 80 bytes each, so one Query reads 13,000 of them (ADR 0033).
 */
export interface FilterRow extends FilteredMember {
  readonly memberId: number;
}

const FilterItem = v.object({ sk: v.pipe(v.string(), v.digits()), f: v.string() });

export function filterItem(orgId: string, member: MemberRecord) {
  return { ...memberFilterKey(orgId, member.memberId), f: packFields(member) };
}

export function parseFilterRow(item: unknown): FilterRow {
  const { sk, f } = v.parse(FilterItem, item);
  const memberId = Number(sk);
  return { memberId, createdUnix: createdUnixOf(memberId), ...unpackFields(f) };
}

/** The write that keeps the filter row equal to the member; none if the change concerns no filter. */
export function filterRowPut(
  table: Table,
  orgId: string,
  { before, after }: { readonly before: MemberRecord | undefined; readonly after: MemberRecord },
): TransactItem[] {
  if (before !== undefined && packFields(before) === packFields(after)) return [];
  return [{ Put: { TableName: table.name, Item: filterItem(orgId, after) } }];
}
