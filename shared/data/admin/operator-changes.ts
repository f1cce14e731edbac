import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { operatorChangeKey, operatorChangesPartition } from '../table/keys.ts';
import { nullable, storedEnum } from '../table/row.ts';
import type { Table } from '../table/table.ts';

/** `begun`: the command has not reported its end, because it still runs or its process died. */
export const changeOutcomes = ['begun', 'done', 'failed'] as const;
export type ChangeOutcome = (typeof changeOutcomes)[number];

const StoredChange = v.object({
  /** The run of the CLI, which the log of everything names that the change led to. It sorts by time. */
  requestId: v.string(),
  by: v.string(),
  command: v.string(),
  orgId: nullable(v.string()),
  /** What the command line named. Values that may be a person's are left out. */
  named: v.optional(v.array(v.string()), []),
  startedUnix: v.number(),
  endedUnix: nullable(v.number()),
  outcome: storedEnum(changeOutcomes, 'begun'),
  /** Why it failed. */
  code: nullable(v.string()),
  /** How many writes it sent to the table. */
  writes: v.optional(v.number(), 0),
});
export type OperatorChange = v.InferOutput<typeof StoredChange>;

/** Says that a command is about to change something. It is written before the first change, so no change is without its record. */
export async function beginChange(
  table: Table,
  change: Pick<OperatorChange, 'requestId' | 'by' | 'command' | 'orgId' | 'named' | 'startedUnix'>,
): Promise<void> {
  const { orgId, ...known } = change;
  const Item = { ...operatorChangeKey(change.requestId), ...known, ...(orgId !== null && { orgId }), outcome: 'begun' };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
}

export async function endChange(
  table: Table,
  requestId: string,
  { outcome, code, writes, endedUnix }: Pick<OperatorChange, 'outcome' | 'code' | 'writes' | 'endedUnix'>,
): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: operatorChangeKey(requestId),
      UpdateExpression: 'SET #outcome = :outcome, #code = :code, #writes = :writes, #ended = :ended',
      ExpressionAttributeNames: { '#outcome': 'outcome', '#code': 'code', '#writes': 'writes', '#ended': 'endedUnix' },
      ExpressionAttributeValues: { ':outcome': outcome, ':code': code, ':writes': writes, ':ended': endedUnix },
    }),
  );
}

/** The newest changes first; of one organisation, if it is given. */
export async function listChanges(
  table: Table,
  { orgId, limit }: { readonly orgId?: string | undefined; readonly limit: number },
): Promise<readonly OperatorChange[]> {
  const found: OperatorChange[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': operatorChangesPartition() },
        ScanIndexForward: false,
        Limit: 100,
        ...(after && { ExclusiveStartKey: after }),
      }),
    );
    const changes = Items.map((item) => v.parse(StoredChange, item));
    found.push(...changes.filter((change) => orgId === undefined || change.orgId === orgId));
    after = LastEvaluatedKey;
  } while (after !== undefined && found.length < limit);
  return found.slice(0, limit);
}
