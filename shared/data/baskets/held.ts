import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Basket } from '../../domain/baskets/basket.ts';
import { heldBasketsPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { heldSortKey, parseBasket } from './row.ts';

interface HeldListing {
  readonly orgId: string;
  readonly eventId: number;
  /** The sort key of the last basket of the page before; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

interface HeldPage {
  readonly baskets: readonly Basket[];
  /** The next page begins after this sort key; undefined on the last page. */
  readonly next: string | undefined;
}

/** Lower than the sort key of every basket. */
const firstSortKey = '0';

/**
 * Reads baskets of an event that are kept for days, those that end first come first. A basket whose time is over is listed until
 * the sweeper has come by. The index shows a change within milliseconds as a rule.
 */
export async function readHeldBaskets(
  table: Table,
  { orgId, eventId, after = firstSortKey, limit }: HeldListing,
): Promise<HeldPage> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'by1',
      KeyConditionExpression: 'by1pk = :pk AND by1sk > :after',
      ExpressionAttributeValues: { ':pk': heldBasketsPartition(orgId, eventId), ':after': after },
      Limit: limit + 1,
    }),
  );
  const baskets = Items.slice(0, limit).map(parseBasket);
  const last = baskets.at(-1);
  return { baskets, next: Items.length > limit && last !== undefined ? heldSortKey(last) : undefined };
}
