import type { PlanRecord } from '../../domain/plans/plan.ts';
import { readIndexPage } from '../lists/index-page.ts';
import { type MemberRecord, parseMember } from '../members/row.ts';
import { batchGet } from '../table/batch-get.ts';
import { memberKey, overduePlansPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { overdueSortKey, parsePlan } from './row.ts';

interface OverdueListing {
  readonly orgId: string;
  /** The sort key of the last plan of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** A plan with an instalment that was declined and is not paid, and the members whose membership it pays for. */
export interface OverduePlan {
  readonly plan: PlanRecord;
  readonly members: readonly MemberRecord[];
}

interface OverduePage {
  readonly plans: readonly OverduePlan[];
  /** The next page begins after this sort key; undefined on the last page. */
  readonly next: string | undefined;
}

/** Reads the plans of an organisation that are overdue, the oldest debt first. The index shows a change within milliseconds as a rule. */
export async function readOverduePlans(table: Table, { orgId, after, limit }: OverdueListing): Promise<OverduePage> {
  const { items, hasMore } = await readIndexPage(table, { partition: overduePlansPartition(orgId), after, limit });
  const plans = items.map(parsePlan);
  const keys = plans.flatMap(({ memberIds }) => memberIds.map((memberId) => memberKey(orgId, memberId)));
  const members = (await batchGet(table, keys, { consistent: true })).map(parseMember);
  const last = plans.at(-1);
  return {
    plans: plans.map((plan) => ({
      plan,
      members: members.filter(({ memberId }) => plan.memberIds.includes(memberId)),
    })),
    next: hasMore && last !== undefined ? overdueSortKey(last) : undefined,
  };
}
