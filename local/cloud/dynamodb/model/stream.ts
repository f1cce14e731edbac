import { validationError } from './errors.ts';
import { keyNames, type TableSchema } from './schema.ts';
import type { Change } from './storage.ts';
import type { Item } from './values.ts';
import { toWire } from './wire-values.ts';

interface StreamRecord extends Change {
  readonly atMs: number;
}

const shardId = 'shardId-00000000000000000001-model';
/** DynamoDB's limit for one GetRecords. */
const pageLimit = 1000;

/** The stream of a table: all changes since it was enabled, in one shard that never ends. */
export class TableStream {
  readonly arn: string;
  readonly #schema: TableSchema;
  readonly specification: Item;
  readonly #viewType: string;
  readonly #records: StreamRecord[] = [];

  constructor(arn: string, schema: TableSchema, viewType: string) {
    this.arn = arn;
    this.#schema = schema;
    this.#viewType = viewType;
    this.specification = { StreamEnabled: true, StreamViewType: viewType };
  }

  add(change: Change): void {
    this.#records.push({ ...change, atMs: Date.now() });
  }

  describe(): Item {
    const Shards = [{ ShardId: shardId, SequenceNumberRange: { StartingSequenceNumber: sequenceNumber(0) } }];
    return { StreamDescription: { StreamArn: this.arn, StreamStatus: 'ENABLED', Shards } };
  }

  /** An iterator is the ARN of the stream and the position of the next record. */
  shardIterator({ ShardIteratorType: type, SequenceNumber }: Item): Item {
    const position = () => {
      const known = Number(SequenceNumber);
      if (!(known < this.#records.length)) throw validationError('The sequence number is not in the shard.');
      return known;
    };
    switch (type) {
      case 'TRIM_HORIZON':
        return this.#iterator(0);
      case 'LATEST':
        return this.#iterator(this.#records.length);
      case 'AT_SEQUENCE_NUMBER':
        return this.#iterator(position());
      case 'AFTER_SEQUENCE_NUMBER':
        return this.#iterator(position() + 1);
      default:
        throw validationError(`There is no iterator of the type ${type}.`);
    }
  }

  #iterator(position: number): Item {
    return { ShardIterator: `${this.arn}|${position}` };
  }

  records({ ShardIterator, Limit = pageLimit }: Item): Item {
    const start = Number(String(ShardIterator).split('|').at(-1));
    const end = Math.min(start + Number(Limit), this.#records.length);
    const Records = this.#records.slice(start, end).map((record, index) => this.#toWire(record, start + index));
    return { Records, NextShardIterator: this.#iterator(end).ShardIterator };
  }

  #toWire({ before, after, atMs }: StreamRecord, position: number): Item {
    const image = after ?? before ?? {};
    const shows = (part: string) => this.#viewType === part || this.#viewType === 'NEW_AND_OLD_IMAGES';
    const changed = before === undefined ? 'INSERT' : 'MODIFY';
    return {
      eventID: sequenceNumber(position),
      eventName: after === undefined ? 'REMOVE' : changed,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(atMs / 1000),
        Keys: toWire(Object.fromEntries(keyNames(this.#schema).map((name) => [name, image[name]]))),
        ...(after && shows('NEW_IMAGE') && { NewImage: toWire(after) }),
        ...(before && shows('OLD_IMAGE') && { OldImage: toWire(before) }),
        SequenceNumber: sequenceNumber(position),
        StreamViewType: this.#viewType,
      },
    };
  }
}

function sequenceNumber(position: number): string {
  return String(position).padStart(21, '0');
}
