import * as v from 'valibot';
import { idText } from '../../domain/ids.ts';
import {
  type Instalment,
  instalmentStatuses,
  openStatuses,
  overdueSinceUnix,
  type PlanRecord,
} from '../../domain/plans/plan.ts';
import { recordedSecondText } from '../../domain/time/time-buckets.ts';
import { overduePlansPartition, planKey } from '../table/keys.ts';
import { carried, nullable, row, storedEnum, withoutNulls } from '../table/row.ts';

const StoredCharge = row({ provider: v.string(), chargeId: v.string(), account: nullable(v.string()) });

/**
 * An instalment in few bytes, so that the plan of half a year fits into one KB. Its number is its place in the list, and its charge is where
 * the method of the plan is saved unless it says otherwise. A status that only a later release knows is read as one that nothing
 * is charged for.
 */
const StoredInstalment = row({
  due: v.number(),
  amt: v.number(),
  st: v.optional(storedEnum(instalmentStatuses, 'action_required'), 'planned'),
  paid: nullable(v.number()),
  tries: v.optional(v.number(), 0),
  fail: nullable(v.string()),
  retry: nullable(v.number()),
  was: v.optional(storedEnum(openStatuses, 'action_required')),
  again: nullable(v.number()),
  charge: nullable(v.string()),
  at: nullable(row({ provider: v.string(), account: nullable(v.string()) })),
});

const StoredPlan = row(
  {
    planId: v.number(),
    orderId: v.number(),
    eventId: nullable(v.number()),
    lineId: v.number(),
    memberIds: v.array(v.number()),
    userId: v.number(),
    optionId: v.string(),
    currency: v.string(),
    provider: v.string(),
    account: nullable(v.string()),
    customer: nullable(v.string()),
    paymentMethod: nullable(v.string()),
    methodUnix: nullable(v.number()),
    instalments: v.array(StoredInstalment),
    charge: nullable(
      row({
        number: v.number(),
        attempt: v.number(),
        startedUnix: v.number(),
        leaseUntilUnix: v.number(),
        waitUntilUnix: nullable(v.number()),
        charge: nullable(StoredCharge),
        paymentMethod: nullable(v.string()),
        saves: v.optional(v.boolean()),
        named: v.optional(v.boolean()),
        requestId: nullable(v.string()),
      }),
    ),
    unreported: v.optional(v.number()),
    dispute: v.optional(row({ sinceUnix: v.number(), recorded: v.array(v.string()) })),
    version: v.number(),
  },
  // The id of the last single write (putAlone).
  ['writeId'],
);

export function parsePlan(item: unknown): PlanRecord {
  const stored = v.parse(StoredPlan, item);
  const { provider, account } = stored;
  const instalments = stored.instalments.map((one, index): Instalment => {
    const charge = one.charge === null ? null : { chargeId: one.charge, ...(one.at ?? { provider, account }) };
    return {
      ...carried(one),
      number: index + 1,
      dueUnix: one.due,
      amountMinor: one.amt,
      status: one.st,
      paidUnix: one.paid,
      attempts: one.tries,
      failure: one.fail,
      retryUnix: one.retry,
      charge,
      ...(one.was !== undefined && { cancelledFrom: { status: one.was, retryUnix: one.again } }),
    };
  });
  return { ...stored, instalments };
}

function storedInstalment(one: Instalment, { provider, account }: PlanRecord): object {
  const { charge } = one;
  const isElsewhere = charge !== null && (charge.provider !== provider || charge.account !== account);
  return {
    ...carried(one),
    due: one.dueUnix,
    amt: one.amountMinor,
    ...(one.status !== 'planned' && { st: one.status }),
    paid: one.paidUnix,
    ...(one.attempts > 0 && { tries: one.attempts }),
    fail: one.failure,
    retry: one.retryUnix,
    ...(one.cancelledFrom !== undefined && { was: one.cancelledFrom.status, again: one.cancelledFrom.retryUnix }),
    charge: charge?.chargeId ?? null,
    ...(isElsewhere && { at: { provider: charge.provider, account: charge.account } }),
  };
}

/** The position of a plan among those that are overdue: the oldest debt first. */
export function overdueSortKey(plan: PlanRecord): string {
  return `${recordedSecondText(overdueSinceUnix(plan) ?? 0)}#${idText(plan.planId)}`;
}

/** The row of a plan. Index by1 lists the plans of an organisation that are overdue, the oldest debt first. */
export function planItem(orgId: string, plan: PlanRecord): Record<string, unknown> {
  const sinceUnix = overdueSinceUnix(plan);
  return {
    ...withoutNulls({ ...plan, instalments: plan.instalments.map((one) => storedInstalment(one, plan)) }),
    ...planKey(orgId, plan.planId),
    ...(sinceUnix !== null && {
      by1pk: overduePlansPartition(orgId),
      by1sk: overdueSortKey(plan),
    }),
  };
}
