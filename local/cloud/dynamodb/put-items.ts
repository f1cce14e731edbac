import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CloudError } from '../cloud-error.ts';

/** In DynamoDB's own JSON: `{ pk: { S: 'a' } }`. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** Fills a new table with its initial items. Items are produced while others are written. */
export type FillTable = (put: (items: Iterable<StoredItem>) => Promise<void>) => Promise<void>;

/** Large enough for efficient writes, and small enough to be in memory twice. */
const charactersPerChunk = 64 * 1024;

/**
 * Sends items to the launcher of DynamoDB Local, which puts them into a table without a stream: BatchWriteItem takes ten times
 * as long. Items are not validated, so use it only for items that are known to be valid.
 */
export async function putItems(endpoint: string, tableName: string, items: Iterable<StoredItem>): Promise<void> {
  const posting = request(`${endpoint}/fill/${tableName}`, { method: 'POST', agent: false });
  const answered = once(posting, 'response').then(([response]) => textOf(response));
  const [failure] = await Promise.all([
    answered,
    pipeline(Readable.from(linesOf(items), { objectMode: false }), posting),
  ]);
  if (failure !== '') throw new CloudError(`DynamoDB Local rejected the items of ${tableName}: ${failure}`);
}

async function textOf(response: IncomingMessage): Promise<string> {
  const text = Buffer.concat(await response.toArray()).toString('utf8');
  return response.statusCode === 204 ? '' : `${response.statusCode} ${text}`;
}

function* linesOf(items: Iterable<StoredItem>): Generator<string> {
  let chunk = '';
  for (const item of items) {
    chunk += `${JSON.stringify(item)}\n`;
    if (chunk.length < charactersPerChunk) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
