import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { readPlan, savePlan } from '../plans/plans.ts';
import { savedCustomersOf } from '../plans/saved-customers.ts';
import { planConsentKey, savedCustomerKey } from '../table/keys.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';

/**
 * Removes from a plan what leads to the person: the saved method, and the consent. Instalments and amounts stay for accounting; what is
 * not paid is not charged any more, and waits for the organisation. Returns whether anything was left to remove.
 */
export async function erasePlan(table: Table, orgId: string, planId: number): Promise<boolean> {
  const plan = await retryRaces('payment plan', async () => {
    const before = await readPlan(table, orgId, planId);
    if (before === undefined || (before.customer === null && before.paymentMethod === null))
      return { before, isErased: false };
    const erased = await savePlan(table, orgId, before, { ...before, customer: null, paymentMethod: null });
    return erased && { before, isErased: true };
  });
  if (plan.before === undefined) return false;
  const Key = planConsentKey(orgId, plan.before.orderId);
  await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
  return plan.isErased;
}

/** Forgets the customer of a person at the payment provider. Returns how many there were. */
export async function eraseSavedCustomers(table: Table, orgId: string, userId: number): Promise<number> {
  const saved = await savedCustomersOf(table, orgId, userId);
  for (const { account } of saved) {
    const Key = savedCustomerKey(orgId, userId, account ?? 'none');
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
  }
  return saved.length;
}
