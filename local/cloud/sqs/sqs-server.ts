import { Worker } from 'node:worker_threads';
import { loopback } from '../http/listen.ts';
import { compileThreadSource } from '../processes/thread-source.ts';
import type { Queue } from './queues.ts';
import type { SqsThreadData } from './sqs-thread.ts';

export interface SqsServer {
  endpoint: string;
  stop(): Promise<void>;
}

export interface SqsServerOptions {
  region: string;
  clockOffset: SharedArrayBuffer;
  queues: readonly Queue[];
  /** Called when it ends without a stop. */
  onLost?: ((reason: string) => void) | undefined;
}

/** Starts SQS in memory, which is enough because the rows of the table, not messages, are durable. */
export async function startSqsServer({ region, clockOffset, queues, onLost }: SqsServerOptions): Promise<SqsServer> {
  const workerData: SqsThreadData = {
    fauxqsUrl: import.meta.resolve('fauxqs'),
    clockOffset,
    region,
    queues: queues.map(({ name, url, arn, attributes }) => ({ name, url, arn, attributes })),
  };
  const source = compileThreadSource(new URL('./sqs-thread.ts', import.meta.url).href);
  const worker = new Worker(source, { eval: true, env: {}, execArgv: [], workerData });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  let reason = 'its thread has stopped';
  let stopping = false;
  worker.on('error', (error) => {
    reason = error.stack ?? error.message;
  });
  worker.once('exit', () => {
    if (!stopping) onLost?.(reason);
  });
  return {
    endpoint: `http://${loopback}:${port}`,
    stop: async () => {
      stopping = true;
      await worker.terminate();
    },
  };
}
