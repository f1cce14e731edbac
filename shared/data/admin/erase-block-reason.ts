import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SeatBlock } from '../../domain/seats/seat-block.ts';
import { isConditionFailure } from '../table/failures.ts';
import { seatBlockKey } from '../table/seat-keys.ts';
import type { Table } from '../table/table.ts';

/** Removes the reason of a block of seats, unless the block has ended meanwhile. */
export async function eraseBlockReason(
  table: Table,
  orgId: string,
  { eventId, blockId }: Pick<SeatBlock, 'eventId' | 'blockId'>,
): Promise<void> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: seatBlockKey(orgId, eventId, blockId),
    UpdateExpression: 'REMOVE reason',
    ConditionExpression: 'attribute_exists(pk)',
  });
  await table.client.send(update).catch((error: unknown) => {
    if (!isConditionFailure(error)) throw error;
  });
}
