import * as v from 'valibot';
import type { OrderMembership } from '../../domain/orders/membership.ts';
import { nextDueUnix, type PlanRecord } from '../../domain/plans/plan.ts';
import { batchGet } from '../table/batch-get.ts';
import { type DueHint, dueHintItem } from '../table/due-hints.ts';
import { getItem } from '../table/get-item.ts';
import { planConsentKey, planKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { putAlone, type TransactItem, transact } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { parsePlan, planItem } from './row.ts';

export async function readPlan(table: Table, orgId: string, planId: number): Promise<PlanRecord | undefined> {
  const item = await getItem(table, planKey(orgId, planId), { consistent: true });
  return item === undefined ? undefined : parsePlan(item);
}

/** The plans of the memberships of orders, by id. */
export async function readPlans(
  table: Table,
  orgId: string,
  memberships: readonly Pick<OrderMembership, 'planId'>[],
): Promise<ReadonlyMap<number, PlanRecord>> {
  const ids = new Set(memberships.flatMap(({ planId }) => planId ?? []));
  const keys = [...ids].map((planId) => planKey(orgId, planId));
  const plans = (await batchGet(table, keys, { consistent: true })).map(parsePlan);
  return new Map(plans.map((plan) => [plan.planId, plan]));
}

/** What the buyer of an order agreed to: the words, when, and in which request. The instalments are those of its plans. */
export interface PlanConsent {
  readonly text: string;
  readonly givenUnix: number;
  readonly requestId: string | null;
}

const StoredConsent = v.object({ text: v.string(), givenUnix: v.number(), requestId: v.nullable(v.string()) });

/** The consent of an order; undefined after the erasure of the person. */
export async function readConsent(table: Table, orgId: string, orderId: number): Promise<PlanConsent | undefined> {
  const item = await getItem(table, planConsentKey(orgId, orderId), { consistent: true });
  return item === undefined ? undefined : v.parse(StoredConsent, item);
}

/** The hint that makes the worker look at a plan from a certain second on. */
export function planHint(orgId: string, { planId }: Pick<PlanRecord, 'planId'>, dueUnix: number): DueHint {
  return { kind: 'plan', ref: [orgId, String(planId)], dueUnix };
}

/** The writes of new plans, for the transaction of the order. */
export function newPlanPuts(
  table: Table,
  orgId: string,
  plans: readonly PlanRecord[],
  consent: PlanConsent | undefined,
): readonly TransactItem[] {
  const puts = plans.flatMap((plan) => [planPut(table, orgId, undefined, plan), ...planHintPuts(table, orgId, plan)]);
  const [first] = plans;
  if (first === undefined || consent === undefined) return puts;
  const Item = { ...planConsentKey(orgId, first.orderId), ...consent };
  return [...puts, { Put: { TableName: table.name, Item } }];
}

/** The hint for when the worker has to look at the plan next. */
export function planHintPuts(table: Table, orgId: string, plan: PlanRecord): readonly TransactItem[] {
  const dueUnix = nextDueUnix(plan);
  if (dueUnix === undefined) return [];
  const requestId = plan.charge?.requestId ?? undefined;
  return [{ Put: { TableName: table.name, Item: dueHintItem(planHint(orgId, plan, dueUnix), { requestId }) } }];
}

/** Writes the plan if it has not changed since it was read. */
export function planPut(table: Table, orgId: string, before: PlanRecord | undefined, after: PlanRecord) {
  return { label: 'plan', Put: { TableName: table.name, Item: planItem(orgId, after), ...unchangedSince(before) } };
}

/** Writes a change of the plan with the hint for when the worker has to look at it. Undefined if it has changed since it was read. */
export async function changePlanWithHint(
  table: Table,
  orgId: string,
  before: PlanRecord,
  wanted: PlanRecord,
): Promise<PlanRecord | undefined> {
  const after = { ...wanted, version: before.version + 1 };
  const items = [planPut(table, orgId, before, after), ...planHintPuts(table, orgId, after)];
  return (await transact(table, items)).length === 0 ? after : undefined;
}

/** Writes a change of the plan alone. Undefined if another process has changed it since it was read. */
export async function savePlan(
  table: Table,
  orgId: string,
  before: PlanRecord,
  wanted: PlanRecord,
): Promise<PlanRecord | undefined> {
  const after = { ...wanted, version: before.version + 1 };
  return (await putAlone(table, planPut(table, orgId, before, after).Put)) ? after : undefined;
}
