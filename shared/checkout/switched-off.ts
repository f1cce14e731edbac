import type { MemberRecord } from '../data/members/row.ts';
import { readRenewal, renewalPut } from '../data/renewals/renewals.ts';
import type { TransactItem } from '../data/table/transact.ts';
import type { CheckoutDeps } from './deps.ts';

/**
 * The write that ends the auto-renewal of a membership, for the transaction that cancels it. `in_progress`: the renewal is being
 * charged, so it is too late or too early to say what is cancelled.
 */
export async function switchedOff(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  { renewalId }: Pick<MemberRecord, 'renewalId'>,
): Promise<readonly TransactItem[] | 'in_progress'> {
  const renewal = renewalId === null ? undefined : await readRenewal(table, orgId, renewalId);
  if (renewal === undefined || !renewal.isOn) return [];
  if (renewal.attempt !== null) return 'in_progress';
  return [renewalPut(table, orgId, renewal, { ...renewal, isOn: false, round: null }).item];
}

/**
 * The writes that end the auto-renewals of members whose last term is refunded, by record: no hint leads the worker to an earlier
 * term. A renewal that is being charged is left out, because the worker looks at it again.
 */
export async function switchedOffByRecord(
  deps: Pick<CheckoutDeps, 'table' | 'orgId'>,
  members: readonly Pick<MemberRecord, 'renewalId'>[],
): Promise<ReadonlyMap<number, readonly TransactItem[]>> {
  const ids = [...new Set(members.flatMap(({ renewalId }) => renewalId ?? []))];
  const found = await Promise.all(
    ids.map(async (renewalId) => [renewalId, await switchedOff(deps, { renewalId })] as const),
  );
  return new Map(found.flatMap(([id, items]) => (items === 'in_progress' || items.length === 0 ? [] : [[id, items]])));
}
