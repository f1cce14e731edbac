import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CloudError } from '../cloud/cloud-error.ts';

/** In DynamoDB's own JSON: `{ pk: { S: 'a' } }`. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** Puts into a new table what it is to hold from the beginning. Items are taken as they are written, so that both go on together. */
export type FillTable = (put: (items: Iterable<StoredItem>) => Promise<void>) => Promise<void>;

/** Enough to make a write worth its while, and little enough to be held twice. */
const charactersPerChunk = 64 * 1024;

/**
 * Hands items to the launcher of DynamoDB Local, which puts them into a table that has no stream yet: by BatchWriteItem it
 * takes ten times as long. Nothing is checked on this way, so it is only for what is known to be right.
 */
export async function putItems(endpoint: string, tableName: string, items: Iterable<StoredItem>): Promise<void> {
  const posting = request(`${endpoint}/fill/${tableName}`, { method: 'POST', agent: false });
  const answered = once(posting, 'response').then(([response]) => textOf(response));
  const [failure] = await Promise.all([
    answered,
    pipeline(Readable.from(linesOf(items), { objectMode: false }), posting),
  ]);
  if (failure !== '') throw new CloudError(`DynamoDB Local did not take the items of ${tableName}: ${failure}`);
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
