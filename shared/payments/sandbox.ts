import { once } from 'node:events';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { sandboxChargeKey } from '../data/table/keys.ts';
import { retryConflicts } from '../data/table/retry-conflicts.ts';
import type { Table } from '../data/table/table.ts';
import { Fault } from '../platform/fault.ts';
import type { Charge, Confirmed, KnownCharge, PaymentProvider, Refund, Refunded } from './provider.ts';

/** The cards of the sandbox, and the outcome of a payment with each. */
const sandboxCards = {
  pm_card_visa: 'is paid',
  pm_card_declined: 'is declined',
  pm_card_timeout: 'is never answered, and not paid',
  pm_card_late: 'is paid, but never answered',
} as const;
type Card = keyof typeof sandboxCards;

const Row = v.object({
  method: v.string(),
  status: v.picklist(['prepared', 'paid', 'declined', 'cancelled']),
  amountMinor: v.number(),
  refundedMinor: v.number(),
  refunds: v.record(v.string(), v.number()),
});
type Row = v.InferOutput<typeof Row>;

/**
 * A payment provider that moves no money. Its charges are in the table. A charge's status changes once, by a conditional write,
 * so that the sandbox behaves like a real provider after crashes and under repeated and concurrent calls.
 */
export function sandboxProvider(table: Table): PaymentProvider {
  return {
    name: 'sandbox',
    needsAccount: false,
    async prepare(charge) {
      if (!isCard(charge.paymentMethod)) return { outcome: 'method_unknown' };
      const chargeId = `sbx_${charge.key}`;
      await putCharge(table, charge, chargeId);
      return { outcome: 'prepared', chargeId };
    },
    async confirm(charge, signal) {
      const { method } = await readCharge(table, charge);
      switch (method) {
        case 'pm_card_visa':
          return toConfirmed(await decideCharge(table, charge, 'paid'));
        case 'pm_card_late':
          await decideCharge(table, charge, 'paid');
          return waitForAbort(signal);
        case 'pm_card_timeout':
          return waitForAbort(signal);
        default:
          return toConfirmed(await decideCharge(table, charge, 'declined'));
      }
    },
    async settle(charge) {
      const { status } = await decideCharge(table, charge, 'cancelled');
      return status === 'paid' ? 'paid' : 'unpaid';
    },
    refund: (charge, refund) => refundCharge(table, charge, refund),
  };
}

function isCard(method: string): method is Card {
  return Object.hasOwn(sandboxCards, method);
}

function toConfirmed({ status }: Row): Confirmed {
  return status === 'paid' ? { outcome: 'paid' } : { outcome: 'declined', message: 'The card was declined.' };
}

/** Simulates a provider that does not respond. */
async function waitForAbort(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

async function putCharge(table: Table, charge: Charge, chargeId: string): Promise<void> {
  const { orgId, amountMinor, currency, paymentMethod: method } = charge;
  const status = 'prepared' satisfies Row['status'];
  const Item = {
    ...sandboxChargeKey(orgId, chargeId),
    method,
    status,
    amountMinor,
    currency,
    refundedMinor: 0,
    refunds: {},
  };
  try {
    await retryConflicts(() =>
      table.client.send(
        new PutCommand({ TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
      ),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

async function readCharge(table: Table, { orgId, chargeId }: KnownCharge): Promise<Row> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: sandboxChargeKey(orgId, chargeId), ConsistentRead: true }),
  );
  if (Item === undefined) throw new Fault('The sandbox has no such charge.');
  return v.parse(Row, Item);
}

/** Sets the final status of a charge, unless it has one. Returns the charge with its current status. */
async function decideCharge(table: Table, charge: KnownCharge, to: Row['status']): Promise<Row> {
  try {
    await retryConflicts(() =>
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: sandboxChargeKey(charge.orgId, charge.chargeId),
          UpdateExpression: 'SET #status = :to',
          ConditionExpression: '#status = :prepared',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':to': to, ':prepared': 'prepared' },
        }),
      ),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  return readCharge(table, charge);
}

async function refundCharge(table: Table, charge: KnownCharge, refund: Refund): Promise<Refunded> {
  const { key, amountMinor } = refund;
  const before = await readCharge(table, charge);
  if (Object.hasOwn(before.refunds, key)) return { outcome: 'refunded' };
  if (before.status !== 'paid') return { outcome: 'refused', message: 'The charge was not paid.' };
  if (before.refundedMinor + amountMinor > before.amountMinor) {
    return { outcome: 'refused', message: 'The refund exceeds the amount that was paid.' };
  }
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: sandboxChargeKey(charge.orgId, charge.chargeId),
        UpdateExpression: 'SET refundedMinor = refundedMinor + :amount, refunds.#key = :amount',
        ConditionExpression: 'refundedMinor = :before',
        ExpressionAttributeNames: { '#key': key },
        ExpressionAttributeValues: { ':amount': amountMinor, ':before': before.refundedMinor },
      }),
    );
    return { outcome: 'refunded' };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // A concurrent refund was first, perhaps the same one.
    return refundCharge(table, charge, refund);
  }
}
