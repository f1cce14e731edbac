import type { DataLocation } from '../data-folder.ts';
import { watchDisk } from '../disk-space.ts';
import type { Teardown } from '../teardown.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from './dynamodb-local.ts';

export interface DatabaseOptions {
  /** Rows in another format are refused. */
  data: DataLocation;
  /** Starts the database of a run in memory; by default DynamoDB Local. */
  startDatabase?: () => Promise<DynamoDbLocal>;
  /** Called when the run cannot go on: an essential part, such as DynamoDB Local, has ended, or the disk is full. */
  onLost?: (reason: string) => void;
}

/** Starts the database of a run, and reports when the run cannot go on: the database has ended, or its disk is full. */
export function startDatabase(options: DatabaseOptions, teardown: Teardown): Promise<DynamoDbLocal> {
  const { data, onLost = () => {} } = options;
  const onEnd = (reason: string) => onLost(`DynamoDB Local has ended: ${reason}`);
  const starting = options.startDatabase?.() ?? startDynamoDbLocal({ data, onLost: onEnd });
  const stop = starting.then(
    (started) => started.stop,
    () => async () => {},
  );
  teardown.add(async () => (await stop)());
  if (data !== 'memory') {
    const watch = watchDisk(data.folder, () => onLost(`The disk of ${data.folder} is full. Free some space.`));
    teardown.add(() => watch.stop());
  }
  return starting;
}
