import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { memberNumberText, type NumberSequence } from '../../domain/members/number.ts';
import { isConditionFailure } from '../table/failures.ts';
import { sequenceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const SequenceItem = v.object({ lastNumber: v.number(), numberWidth: v.optional(v.number(), 1) });

/**
 * Draws a number for a new member: the next of the sequence. Nobody draws it again; but an import may have brought it along,
 * which its claim tells. Then the next draw, for the same member, goes twice as far, so that a long row of imported numbers
 * is soon behind it. A number that is drawn and not used leaves a gap, which is harmless. The member is counted by the way.
 */
export async function drawMemberNumber(table: Table, orgId: string, takenSoFar: number): Promise<string> {
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: sequenceKey(orgId),
      UpdateExpression: 'ADD lastNumber :steps, members :members',
      ExpressionAttributeValues: { ':steps': 2 ** takenSoFar, ':members': takenSoFar === 0 ? 1 : 0 },
      ReturnValues: 'ALL_NEW',
    }),
  );
  const { lastNumber: last, numberWidth: width } = v.parse(SequenceItem, Attributes);
  return memberNumberText({ last, width });
}

/** Moves the sequence behind a number that was given elsewhere, so that new numbers follow the highest one in its form. */
export async function passMemberNumber(table: Table, orgId: string, sequence: NumberSequence): Promise<void> {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: sequenceKey(orgId),
        UpdateExpression: 'SET lastNumber = :last, numberWidth = :width',
        ConditionExpression: 'attribute_not_exists(lastNumber) OR lastNumber < :last',
        ExpressionAttributeValues: { ':last': sequence.last, ':width': sequence.width },
      }),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
