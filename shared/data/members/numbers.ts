import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { memberNumberText, type NumberSequence } from '../../domain/members/number.ts';
import { isConditionFailure } from '../table/failures.ts';
import { sequenceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const SequenceItem = v.object({ lastNumber: v.number(), numberWidth: v.optional(v.number(), 1) });

/**
 * Allocates the next numbers of the sequence for new members. Each number is allocated once, but an imported member may
 * already have it; then it is refused. Each further allocation for the same members doubles the step, so a long
 * series of imported numbers is passed quickly. An unused number leaves a gap, which is harmless. The same write counts the
 * members.
 */
export async function allocateMemberNumbers(
  table: Table,
  orgId: string,
  { members, takenNumbers }: { readonly members: number; readonly takenNumbers: number },
): Promise<readonly string[]> {
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: sequenceKey(orgId),
      UpdateExpression: 'ADD lastNumber :steps, members :members',
      ExpressionAttributeValues: {
        ':steps': members * 2 ** takenNumbers,
        ':members': takenNumbers === 0 ? members : 0,
      },
      ReturnValues: 'ALL_NEW',
    }),
  );
  const { lastNumber: last, numberWidth: width } = v.parse(SequenceItem, Attributes);
  return Array.from({ length: members }, (_, index) => memberNumberText({ last: last - members + 1 + index, width }));
}

/**
 * Reserves all numbers up to this one, before an import uses them: who joins meanwhile gets a number after them, of the same width.
 * Returns the last number that may have been given out before. Its owner may not be in the table yet.
 */
export async function reserveMemberNumbers(table: Table, orgId: string, sequence: NumberSequence): Promise<number> {
  try {
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: sequenceKey(orgId),
        UpdateExpression: 'SET lastNumber = :last, numberWidth = :width',
        ConditionExpression: 'attribute_not_exists(lastNumber) OR lastNumber < :last',
        ExpressionAttributeValues: { ':last': sequence.last, ':width': sequence.width },
        ReturnValues: 'ALL_OLD',
      }),
    );
    return v.parse(v.object({ lastNumber: v.optional(v.number(), 0) }), Attributes ?? {}).lastNumber;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return sequence.last;
  }
}
