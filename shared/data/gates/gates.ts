import { isDeepStrictEqual } from 'node:util';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { GateRecord } from '../../domain/gates/gate.ts';
import { idText } from '../../domain/ids.ts';
import { isConditionFailure } from '../table/failures.ts';
import { getItem } from '../table/get-item.ts';
import { gateKey, gatesPartition, type ItemKey } from '../table/keys.ts';
import { queryAll } from '../table/query.ts';
import { allOrSome, carried, row } from '../table/row.ts';
import type { ReadOptions, Table } from '../table/table.ts';

const admitted = allOrSome(v.string());
const StoredGate = row({
  gateId: v.number(),
  name: v.string(),
  priceCategories: admitted,
  membershipCategories: admitted,
});

const prefix = 'G#';
const keyOf = (orgId: string, gateId: number): ItemKey => gateKey(orgId, prefix + idText(gateId));

export async function readGate(
  table: Table,
  orgId: string,
  gateId: number,
  options: ReadOptions = {},
): Promise<GateRecord | undefined> {
  const item = await getItem(table, keyOf(orgId, gateId), options);
  return item === undefined ? undefined : v.parse(StoredGate, item);
}

export async function readGates(table: Table, orgId: string): Promise<readonly GateRecord[]> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': gatesPartition(orgId), ':prefix': prefix },
  });
  return v.parse(v.array(StoredGate), items);
}

/** Registers a gate, or replaces the gate with the same id. */
export async function saveGate(table: Table, orgId: string, gate: GateRecord): Promise<'changed' | 'unchanged'> {
  const before = await readGate(table, orgId, gate.gateId, { consistent: true });
  const saved = { ...carried(before), ...gate };
  if (isDeepStrictEqual(before, saved)) return 'unchanged';
  await table.client.send(new PutCommand({ TableName: table.name, Item: gateItem(orgId, saved) }));
  return 'changed';
}

export const gateItem = (orgId: string, gate: GateRecord) => ({ ...keyOf(orgId, gate.gateId), ...gate });

export async function removeGate(table: Table, orgId: string, gateId: number): Promise<'removed' | 'missing'> {
  try {
    await table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: keyOf(orgId, gateId),
        ConditionExpression: 'attribute_exists(pk)',
      }),
    );
    return 'removed';
  } catch (error) {
    if (isConditionFailure(error)) return 'missing';
    throw error;
  }
}
