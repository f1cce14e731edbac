import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isConditionFailure } from '../table/failures.ts';
import { getItem } from '../table/get-item.ts';
import { auditRoundKey } from '../table/keys.ts';
import { carried, row } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import { unchangedSince } from '../table/version.ts';
import { RoundPosition } from './position.ts';

const Round = row({
  version: v.number(),
  startedUnix: v.number(),
  /** Undefined when the round is complete. */
  at: v.optional(RoundPosition),
  /** What this round has found so far. */
  found: v.number(),
  /** What the last complete round found. */
  foundBefore: v.number(),
});
/** The stored state of the audit that goes on and on: one round over all organisations after the other. */
export type Round = v.InferOutput<typeof Round>;

/** Returns the stored round; undefined before the first one. A round that a release with other positions stored begins again. */
export async function readRound(table: Table): Promise<Round | undefined> {
  const item = await getItem(table, auditRoundKey(), { consistent: true });
  if (item === undefined) return undefined;
  const { at: _, ...withoutPosition } = item;
  return v.parse(Round, v.is(Round, item) ? item : withoutPosition);
}

/** Stores the round with the next version. Returns undefined if another run has stored one in the meantime. */
export async function saveRound(
  table: Table,
  before: Round | undefined,
  changes: Omit<Round, 'version'>,
): Promise<Round | undefined> {
  const round = { ...carried(before), ...changes, version: (before?.version ?? 0) + 1 };
  try {
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...auditRoundKey(), ...round }, ...unchangedSince(before) }),
    );
    return round;
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}
