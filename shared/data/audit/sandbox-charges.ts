import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Finding, nameRow } from '../../domain/audit/finding.ts';
import type { Basket, ChargeReference } from '../../domain/baskets/basket.ts';
import { ownerOfCharge } from '../../domain/payments/charge-key.ts';
import type { PlanRecord } from '../../domain/plans/plan.ts';
import { parseBasket } from '../baskets/row.ts';
import { readPlan } from '../plans/plans.ts';
import { batchGet } from '../table/batch-get.ts';
import { basketKey, sandboxChargeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const chargesPerPage = 100;

export interface AuditedCharges {
  readonly findings: readonly Finding[];
  /** The sort key after which further charges follow; undefined after the last one. */
  readonly next: string | undefined;
}

const PaidCharge = v.object({ sk: v.string(), key: v.string(), amountMinor: v.number(), refundedMinor: v.number() });
type PaidCharge = v.InferOutput<typeof PaidCharge>;

/**
 * Looks at every charge of the sandbox that was paid and not returned: the basket or the plan that it was made for names it. One that
 * nothing names was paid for nothing, or twice.
 */
export async function auditSandboxCharges(table: Table, orgId: string, after: string): Promise<AuditedCharges> {
  const { Items: rows = [], LastEvaluatedKey: last } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': sandboxChargeKey(orgId, '').pk, ':after': after },
      ConsistentRead: true,
      Limit: chargesPerPage,
    }),
  );
  const paid = rows.filter(({ status }) => status === 'paid').map((row) => v.parse(PaidCharge, row));
  const kept = paid.filter(({ amountMinor, refundedMinor }) => amountMinor > refundedMinor);
  const named = await namedCharges(table, orgId, kept);
  const findings = kept
    .filter(({ sk }) => !named.has(sk))
    .map(({ sk }): Finding => {
      const row = nameRow(sandboxChargeKey(orgId, sk));
      return { check: 'charges', row, problem: 'It was paid, and neither an order nor an instalment names it.' };
    });
  return { findings, next: last === undefined ? undefined : String(last.sk) };
}

/** The charges that the owners of these name: what paid for them, is in progress, or was returned and is owed again. */
async function namedCharges(table: Table, orgId: string, charges: readonly PaidCharge[]): Promise<ReadonlySet<string>> {
  const owners = charges.map(({ key }) => ownerOfCharge(key));
  const idsOf = (kind: string) => [...new Set(owners.filter((owner) => owner.kind === kind).map(({ id }) => id))];
  const found = await Promise.all(idsOf('instalment').map((planId) => readPlan(table, orgId, planId)));
  const plans = found.filter((plan) => plan !== undefined);
  const basketIds = new Set([...idsOf('basket'), ...plans.map(({ orderId }) => orderId)]);
  const keys = [...basketIds].map((basketId) => basketKey(orgId, basketId));
  const baskets = (await batchGet(table, keys, { consistent: true })).map(parseBasket);
  const named = [...plans.flatMap(chargesOfPlan), ...baskets.flatMap(chargesOfBasket)];
  return new Set(named.flatMap((charge) => charge?.chargeId ?? []));
}

type MaybeCharge = ChargeReference | null | undefined;

const chargesOfPlan = ({ instalments, charge }: PlanRecord): readonly MaybeCharge[] => [
  ...instalments.map((instalment) => instalment.charge),
  charge?.charge,
];

const chargesOfBasket = ({ payment, checkout, refunds }: Basket): readonly MaybeCharge[] => [
  payment,
  checkout?.charge,
  ...refunds.flatMap(({ returnedShares = [] }) => returnedShares.map(({ charge }) => charge)),
];
