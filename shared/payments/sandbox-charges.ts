import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { getItem } from '../data/table/get-item.ts';
import { sandboxChargeKey } from '../data/table/keys.ts';
import { retryConflicts } from '../data/table/retry.ts';
import { storedEnum } from '../data/table/row.ts';
import type { Table } from '../data/table/table.ts';
import { Fault } from '../platform/fault.ts';
import type { Refund, Refunded } from './provider.ts';

const Row = v.object({
  orgId: v.string(),
  chargeId: v.string(),
  key: v.string(),
  /** Null if the buyer decides on the page of the sandbox. */
  method: v.nullable(v.string()),
  status: storedEnum(['prepared', 'requires_action', 'paid', 'declined', 'cancelled'], 'cancelled'),
  /** Part of the address of the page. */
  secret: v.string(),
  returnUrl: v.nullable(v.string()),
  amountMinor: v.number(),
  currency: v.string(),
  refundedMinor: v.number(),
  refunds: v.record(v.string(), v.number()),
});

/** A charge of the sandbox, in a row of the table. */
export type SandboxCharge = v.InferOutput<typeof Row>;
/** The name of a charge of nothing, which saves a method. */
export const setupPrefix = 'setup_';

export const isSetup = ({ key }: Pick<SandboxCharge, 'key'>): boolean => key.startsWith(setupPrefix);

type ChargeName = Pick<SandboxCharge, 'orgId' | 'chargeId'>;

/** Stores a new charge. Returns the first one if it exists. */
export async function putCharge(table: Table, charge: SandboxCharge): Promise<SandboxCharge> {
  const Item = { ...sandboxChargeKey(charge.orgId, charge.chargeId), ...charge };
  try {
    await retryConflicts(() =>
      table.client.send(
        new PutCommand({ TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' }),
      ),
    );
    return charge;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return readCharge(table, charge);
  }
}

export async function findCharge(table: Table, { orgId, chargeId }: ChargeName): Promise<SandboxCharge | undefined> {
  const item = await getItem(table, sandboxChargeKey(orgId, chargeId), { consistent: true });
  return item === undefined ? undefined : v.parse(Row, { orgId, chargeId, ...item });
}

export async function readCharge(table: Table, name: ChargeName): Promise<SandboxCharge> {
  const charge = await findCharge(table, name);
  if (charge === undefined) throw new Fault('The sandbox has no such charge.');
  return charge;
}

/** The statuses that can still change. */
const openStatuses = { ':prepared': 'prepared', ':waiting': 'requires_action' } as const;

/** Changes the status of a charge, unless it is final. Returns the charge with its current status. */
export async function setStatus(
  table: Table,
  { orgId, chargeId }: ChargeName,
  to: SandboxCharge['status'],
): Promise<SandboxCharge> {
  try {
    await retryConflicts(() =>
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: sandboxChargeKey(orgId, chargeId),
          UpdateExpression: 'SET #status = :to',
          ConditionExpression: '#status IN (:prepared, :waiting)',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':to': to, ...openStatuses },
        }),
      ),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  return readCharge(table, { orgId, chargeId });
}

/** The card to which the sandbox returns no money. */
export const refundlessCard = 'pm_card_refundFail';

/** Returns money of a charge, once per key. */
export async function refundCharge(table: Table, name: ChargeName, refund: Refund): Promise<Refunded> {
  const { key, amountMinor } = refund;
  const before = await readCharge(table, name);
  if (Object.hasOwn(before.refunds, key)) return { outcome: 'refunded' };
  if (before.status !== 'paid') return { outcome: 'refused', message: 'The charge was not paid.' };
  if (before.method === refundlessCard) return { outcome: 'refused', message: 'The card accepts no refund.' };
  if (before.refundedMinor + amountMinor > before.amountMinor) {
    return { outcome: 'refused', message: 'The refund exceeds the amount that was paid.' };
  }
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: sandboxChargeKey(name.orgId, name.chargeId),
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
    return refundCharge(table, name, refund);
  }
}
