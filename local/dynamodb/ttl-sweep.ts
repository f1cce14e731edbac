import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { CloudClock } from '../clock/cloud-clock.ts';
import type { AwsJsonClient } from '../http/aws-json-client.ts';
import type { Table } from './tables.ts';

/** AWS deletes expired items within days. Here it is within minutes, so that a long local run does not fill up. */
const sweepPeriodMs = 5 * 60_000;

/** Leaves the database to the functions between two pages. */
const pauseBetweenPagesMs = 20;

/** DynamoDB never deletes what expired more than five years ago: such a number is more likely a mistake than a time. */
const oldestExpirySeconds = 5 * 365 * 24 * 3600;

const Page = v.object({
  Items: v.optional(v.array(v.record(v.string(), v.unknown())), []),
  LastEvaluatedKey: v.optional(v.unknown()),
});

/** Does what DynamoDB does in the background and DynamoDB Local does not: deletes items whose time to live has passed. */
export function startTtlSweep(tables: readonly Table[], dynamodb: AwsJsonClient, clock: CloudClock): { stop(): void } {
  let stopped = false;
  let underway = false;

  async function sweepAll(): Promise<void> {
    if (underway) return;
    underway = true;
    try {
      for (const table of tables) await sweep(table);
    } catch (error) {
      // The next sweep tries again; only a stop makes the database disappear for good.
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
        // The item may have been given a longer life since it was read; then it stays.
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
