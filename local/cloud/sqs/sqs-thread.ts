/**
 * The thread of fauxqs, an SQS server. It runs in a thread, so its `Date` follows the clock of the local cloud: delays
 * and visibility timeouts end when a test advances the clock.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { BuildAppOptions } from 'fauxqs';
import { installShiftedDate } from '../clock/shifted-date.ts';
import { loopback } from '../http/listen.ts';

export interface SqsThreadData {
  /** The URL of the entry file of the package. */
  fauxqsUrl: string;
  clockOffset: SharedArrayBuffer;
  region: string;
  queues: { name: string; url: string; arn: string; attributes: Record<string, string> }[];
}

type Stores = NonNullable<BuildAppOptions['stores']>;

const data: SqsThreadData = workerData;

/** Files of the package that its entry does not export. */
const inside = (path: string): string => new URL(path, data.fauxqsUrl).href;

async function start(): Promise<void> {
  installShiftedDate(new BigInt64Array(data.clockOffset));
  const { buildApp }: typeof import('fauxqs') = await import(data.fauxqsUrl);
  const { SqsStore }: { SqsStore: new () => Stores['sqsStore'] } = await import(inside('./sqs/sqsStore.js'));
  const { SnsStore }: { SnsStore: new () => Stores['snsStore'] } = await import(inside('./sns/snsStore.js'));
  const { S3Store }: { S3Store: new () => Stores['s3Store'] } = await import(inside('./s3/s3Store.js'));
  await allowAllUnicode();

  // Queues are created directly, because over HTTP fauxqs creates its own URLs, and queue URLs must refer to the proxy.
  const sqsStore = new SqsStore();
  for (const queue of data.queues) sqsStore.createQueue(queue.name, queue.url, queue.arn, queue.attributes);
  const stores = { sqsStore, snsStore: new SnsStore(), s3Store: new S3Store() };
  const app = buildApp({ logger: false, defaultRegion: data.region, stores });
  await app.listen({ host: loopback, port: 0 });
  const address = app.server.address();
  parentPort?.postMessage(typeof address === 'object' && address !== null ? address.port : 0);
}

/**
 * SQS accepts all characters from U+10000. fauxqs 1.9.2 rejects them, because it checks surrogates one by one. An emoji in a
 * name would fail here and work on AWS, so this replaces its check.
 */
async function allowAllUnicode(): Promise<void> {
  const { INVALID_MESSAGE_BODY_CHAR }: { INVALID_MESSAGE_BODY_CHAR: RegExp } = await import(
    inside('./sqs/sqsTypes.js')
  );
  const invalid = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
  INVALID_MESSAGE_BODY_CHAR.test = (text) => invalid.test(text);
}

void start();
