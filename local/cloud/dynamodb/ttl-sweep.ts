import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { CloudClock } from '../clock/cloud-clock.ts';
import type { AwsJsonClient } from '../http/aws-json-client.ts';
import type { Table } from './tables.ts';

/** AWS deletes expired items within days. The local cloud deletes them within minutes, so a long run does not fill up. */
const sweepPeriodMs = 5 * 60_000;

/** Pauses between two pages, so functions can use the database. */
const pauseBetweenPagesMs = 20;

/** DynamoDB does not delete items that expired more than five years ago: such a number is probably not a time. */
const oldestExpirySeconds = 5 * 365 * 24 * 3600;

const Page = v.object({
  Items: v.optional(v.array(v.record(v.string(), v.unknown())), []),
  LastEvaluatedKey: v.optional(v.unknown()),
});

/** Deletes items whose time to live has passed, which DynamoDB Local does not do. */
export function startTtlSweep(tables: readonly Table[], dynamodb: AwsJsonClient, clock: CloudClock): { stop(): void } {
  let stopped = false;
  let underway = false;

  async function sweepAll(): Promise<void> {
    if (underway) return;
    underway = true;
    try {
      for (const table of tables) await sweep(table);
    } catch (error) {
      // The next sweep tries again. Only after a stop is the database gone for good.
      if (!stopped) process.emitWarning(`The sweep of expired items failed: ${String(error)}`);
    } finally {
      underway = false;
    }
  }

  async function sweep({ name, ttlAttribute, keyAttributes }: Table): Promise<void> {
    if (ttlAttribute === undefined) return;
    const nowSeconds = Math.floor(clock.now() / 1000);
    const condition = {
      FilterExpression: '#ttl BETWEEN :oldest AND :now',
      ExpressionAttributeNames: { '#ttl': ttlAttribute },
      ExpressionAttributeValues: {
        ':oldest': { N: String(nowSeconds - oldestExpirySeconds) },
        ':now': { N: String(nowSeconds) },
      },
    };
    const { FilterExpression: ConditionExpression, ...values } = condition;
    let startKey: unknown;
    do {
      const input = { TableName: name, ...condition, ...(startKey !== undefined && { ExclusiveStartKey: startKey }) };
      const page = v.parse(Page, await dynamodb.call('Scan', input));
      for (const item of page.Items) {
        const Key = Object.fromEntries(keyAttributes.map((attribute) => [attribute, item[attribute]]));
        // The time to live may have changed since the item was read; then the item stays.
        await dynamodb.call('DeleteItem', { TableName: name, Key, ConditionExpression, ...values }).catch(() => {});
      }
      startKey = page.LastEvaluatedKey;
      if (startKey !== undefined) await sleep(pauseBetweenPagesMs);
    } while (startKey !== undefined && !stopped);
  }

  const cancel = clock.every(sweepPeriodMs, () => void sweepAll());
  return {
    stop: () => {
      stopped = true;
      cancel();
    },
  };
}
