/**
 * The thread that runs fauxqs, an SQS server. It has a thread of its own so that its `Date` follows the cloud's clock:
 * delays and visibility timeouts then end when a test advances it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { BuildAppOptions } from 'fauxqs';
import { installShiftedDate } from '../clock/shifted-date.ts';
import { loopback } from '../http/listen.ts';

export interface SqsThreadData {
  /** Where the package's entry file is. */
  fauxqsUrl: string;
  clockOffset: SharedArrayBuffer;
  region: string;
  queues: { name: string; url: string; arn: string; attributes: Record<string, string> }[];
}

type Stores = NonNullable<BuildAppOptions['stores']>;

const data: SqsThreadData = workerData;

/** Files inside of the package, which its entry does not export. */
const inside = (path: string): string => new URL(path, data.fauxqsUrl).href;

async function start(): Promise<void> {
  installShiftedDate(new BigInt64Array(data.clockOffset));
  const { buildApp }: typeof import('fauxqs') = await import(data.fauxqsUrl);
  const { SqsStore }: { SqsStore: new () => Stores['sqsStore'] } = await import(inside('./sqs/sqsStore.js'));
  const { SnsStore }: { SnsStore: new () => Stores['snsStore'] } = await import(inside('./sns/snsStore.js'));
  const { S3Store }: { S3Store: new () => Stores['s3Store'] } = await import(inside('./s3/s3Store.js'));
  await allowAllUnicode();

  // A queue is known by its URL alone, and over HTTP fauxqs makes URLs of its own. Here they have to name the proxy.
  const sqsStore = new SqsStore();
  for (const queue of data.queues) sqsStore.createQueue(queue.name, queue.url, queue.arn, queue.attributes);
  const stores = { sqsStore, snsStore: new SnsStore(), s3Store: new S3Store() };
  const app = buildApp({ logger: false, defaultRegion: data.region, stores });
  await app.listen({ host: loopback, port: 0 });
  const address = app.server.address();
  parentPort?.postMessage(typeof address === 'object' && address !== null ? address.port : 0);
}

/**
 * SQS takes every character from U+10000 on; fauxqs 1.9.2 refuses them, as it looks at halves of surrogate pairs. An emoji
 * in a name would fail here and pass on AWS, so its test is replaced.
 */
async function allowAllUnicode(): Promise<void> {
  const { INVALID_MESSAGE_BODY_CHAR }: { INVALID_MESSAGE_BODY_CHAR: RegExp } = await import(
    inside('./sqs/sqsTypes.js')
  );
  const invalid = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
  INVALID_MESSAGE_BODY_CHAR.test = (text) => invalid.test(text);
}

void start();
