import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { entriesOfOrder } from '../../shared/data/journal/read.ts';
import { readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { sandboxChargeKey } from '../../shared/data/table/keys.ts';
import { linesOf } from '../../shared/domain/journal/entry.ts';
import { sumOf } from '../../shared/domain/money.ts';
import { chargesOf, type TestCheckoutDeps } from './baskets.ts';
import { eventsOf } from './faults/refund-crash-scenario.ts';

export const placedOf = ({ table, orgId }: TestCheckoutDeps, orderId: number) =>
  readOrderWithTickets(table, orgId, orderId);

/** The entries of an order with the money that each has moved. Every one adds up to 0. */
export const moneyOf = async ({ table, orgId }: TestCheckoutDeps, orderId: number) => {
  const entries = await entriesOfOrder(table, orgId, orderId);
  for (const entry of entries) expect(sumOf(linesOf(entry).map(({ amountMinor }) => amountMinor))).toBe(0);
  return entries.map(({ kind, money }) => [kind, sumOf(Object.values(money))]);
};

export const failures = async (deps: TestCheckoutDeps) =>
  (await eventsOf(deps)).filter(({ type }) => type === 'order.refund_failed');

/** The money of a refund comes back to the organisation. */
export async function failInSandbox(
  deps: TestCheckoutDeps,
  { amountMinor }: { readonly amountMinor: number },
  chargeId?: string,
): Promise<void> {
  const charge = (await chargesOf(deps)).find((one) =>
    chargeId === undefined ? one.refundedMinor === amountMinor : one.sk === chargeId,
  );
  await deps.table.client.send(
    new UpdateCommand({
      TableName: deps.table.name,
      Key: sandboxChargeKey(deps.orgId, charge?.sk ?? ''),
      UpdateExpression: 'SET refundedMinor = :none',
      ExpressionAttributeValues: { ':none': 0 },
    }),
  );
}
