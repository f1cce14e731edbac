import type { RenewalRecord } from '../../domain/renewals/renewal.ts';
import { type DueHint, dueHintItem } from '../table/due-hints.ts';
import { getItem } from '../table/get-item.ts';
import { renewalKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { putAlone, type TransactItem } from '../table/transact.ts';
import { unchangedSince } from '../table/version.ts';
import { parseRenewal, renewalItem } from './row.ts';

export async function readRenewal(table: Table, orgId: string, renewalId: number): Promise<RenewalRecord | undefined> {
  const item = await getItem(table, renewalKey(orgId, renewalId), { consistent: true });
  return item === undefined ? undefined : parseRenewal(item);
}

/** The hint that makes the worker look at a renewal from a certain second on. */
export function renewalHint(orgId: string, renewalId: number, dueUnix: number): DueHint {
  return { kind: 'renewal', ref: [orgId, String(renewalId)], dueUnix };
}

export function renewalHintPut(table: Table, orgId: string, renewalId: number, dueUnix: number): TransactItem {
  return { Put: { TableName: table.name, Item: dueHintItem(renewalHint(orgId, renewalId, dueUnix)) } };
}

/** Writes the record if it has not changed since it was read. One of version 0 is new. */
export function renewalPut(table: Table, orgId: string, before: RenewalRecord, wanted: RenewalRecord) {
  const after = { ...wanted, version: before.version + 1 };
  const condition = unchangedSince(before.version === 0 ? undefined : before);
  const Put = { TableName: table.name, Item: renewalItem(orgId, after), ...condition };
  return { after, item: { label: 'renewal', Put } satisfies TransactItem };
}

/** Writes a change of the record alone. Undefined if another process has changed it since it was read. */
export async function saveRenewal(
  table: Table,
  orgId: string,
  before: RenewalRecord,
  wanted: RenewalRecord,
): Promise<RenewalRecord | undefined> {
  const { after, item } = renewalPut(table, orgId, before, wanted);
  return (await putAlone(table, item.Put)) ? after : undefined;
}
