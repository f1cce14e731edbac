import type { CloudOptions } from '../cloud.ts';
import { compactionNotice, databaseBytes, watchDisk } from '../disk-space.ts';
import type { Teardown } from '../teardown.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from './dynamodb-local.ts';

/** Starts the database of a run. One on disk also reports how full the disk is. */
export async function startDatabase(options: CloudOptions, teardown: Teardown): Promise<DynamoDbLocal> {
  const { data, onNotice } = options;
  if (data === 'memory') return startProcess(options, teardown);
  const { folder } = data;
  const before = databaseBytes(folder);
  const started = await startProcess(options, teardown);
  const notice = compactionNotice(folder, before, databaseBytes(folder));
  if (notice !== undefined) onNotice?.(notice);
  const watch = watchDisk(folder, (text) => onNotice?.(text));
  teardown.add(() => watch.stop());
  return started;
}

function startProcess(options: CloudOptions, teardown: Teardown): Promise<DynamoDbLocal> {
  const { data, onLost, startDatabase } = options;
  const onEnd = (reason: string) => onLost?.(`DynamoDB Local has ended: ${reason}`);
  const starting = startDatabase?.() ?? startDynamoDbLocal({ data, onLost: onEnd });
  const stop = starting.then(
    (started) => started.stop,
    () => async () => {},
  );
  teardown.add(async () => (await stop)());
  return starting;
}
