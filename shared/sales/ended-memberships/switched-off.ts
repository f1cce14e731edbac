import { readMember } from '../../data/members/read.ts';
import type { MemberRecord } from '../../data/members/row.ts';
import { readRenewal, renewalPut } from '../../data/renewals/renewals.ts';
import type { Table } from '../../data/table/table.ts';
import type { TransactItem } from '../../data/table/transact.ts';
import type { RenewalRecord } from '../../domain/renewals/renewal.ts';
import type { CheckoutDeps } from '../deps.ts';

/**
 * The writes that end the auto-renewal of a membership, for the transaction that cancels its members: each of their owners has a record. `in_progress`:
 * a renewal is being charged, so it is too late or too early to say what is cancelled.
 */
export async function switchedOff(
  deps: Pick<CheckoutDeps, 'table' | 'orgId'>,
  members: readonly Pick<MemberRecord, 'renewalId'>[],
): Promise<readonly TransactItem[] | 'in_progress'> {
  const writes = await switchedOffByRecord(deps, members, { isRefunded: false });
  return writes === 'in_progress' ? writes : [...writes.values()].flat();
}

/** The writes that end auto-renewals, by record. */
export type SwitchedOff = ReadonlyMap<number, readonly TransactItem[]>;

/**
 * The writes that end the auto-renewals of members whose last term ends: no hint leads the worker to an earlier term. `in_progress`: a
 * renewal is being charged. A refund whose money has moved is not refused by that: the worker settles what it began, and begins nothing more.
 */
export async function switchedOffByRecord(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  members: readonly Pick<MemberRecord, 'renewalId'>[],
  { isRefunded }: { readonly isRefunded: boolean },
): Promise<SwitchedOff | 'in_progress'> {
  const renewals = (await renewalsOf({ table, orgId }, members)).filter(({ isOn }) => isOn);
  if (!isRefunded && renewals.some(isCharging)) return 'in_progress';
  return new Map(renewals.map((renewal) => [renewal.renewalId, [offPut(table, orgId, renewal)]]));
}

/** Whether the next term of one of these members is being charged: then nobody knows yet which term is the last. */
export async function isRenewalInProgress(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  memberIds: readonly number[],
): Promise<boolean> {
  const members = await Promise.all(memberIds.map((memberId) => readMember(table, orgId, memberId)));
  const found = members.filter((member) => member !== undefined);
  return (await renewalsOf({ table, orgId }, found)).some(isCharging);
}

const isCharging = ({ attempt }: RenewalRecord): boolean => attempt !== null;

function offPut(table: Table, orgId: string, renewal: RenewalRecord): TransactItem {
  return renewalPut(table, orgId, renewal, { ...renewal, isOn: false, round: null }).item;
}

async function renewalsOf(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  members: readonly Pick<MemberRecord, 'renewalId'>[],
): Promise<readonly RenewalRecord[]> {
  const ids = [...new Set(members.flatMap(({ renewalId }) => renewalId ?? []))];
  const found = await Promise.all(ids.map((renewalId) => readRenewal(table, orgId, renewalId)));
  return found.filter((renewal) => renewal !== undefined);
}
