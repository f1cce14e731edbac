import * as v from 'valibot';
import type { AwsJsonClient } from '../http/aws-json-client.ts';
import { StreamRecord } from './stream-records.ts';

const Page = v.object({ Records: v.optional(v.array(StreamRecord), []), NextShardIterator: v.optional(v.string()) });

export interface StreamPage {
  readonly records: readonly StreamRecord[];
  /** Undefined at the end of a closed shard. */
  readonly next: string | undefined;
}

/** Returns the records behind an iterator; none if there are none yet. */
export type ReadStreamPage = (iterator: string) => Promise<StreamPage>;

/** DynamoDB's limit for one GetRecords. */
const pageLimit = 1000;
/** A mapping that falls further behind reads the stream itself. */
const keptPages = 100;
/** An empty page is shared by the mappings that ask at about the same time. */
const emptyPageMs = 10;

/**
 * Reads a stream once for all its mappings. Two functions read the stream of the table, and most of its records are counters of
 * requests that neither handles: without this, each record would be sent and parsed twice. What follows an iterator does not change
 * once there are records, so a page with records can be returned again.
 */
export function shareStreamPages(streams: AwsJsonClient): ReadStreamPage {
  const pages = new Map<string, Promise<StreamPage>>();

  async function read(iterator: string): Promise<StreamPage> {
    try {
      const page = v.parse(Page, await streams.call('GetRecords', { ShardIterator: iterator, Limit: pageLimit }));
      if (page.Records.length === 0) setTimeout(() => pages.delete(iterator), emptyPageMs);
      return { records: page.Records, next: page.NextShardIterator };
    } catch (error) {
      pages.delete(iterator);
      throw error;
    }
  }

  return (iterator) => {
    const known = pages.get(iterator);
    if (known !== undefined) return known;
    const page = read(iterator);
    pages.set(iterator, page);
    for (const oldest of pages.keys()) {
      if (pages.size <= keptPages) break;
      pages.delete(oldest);
    }
    return page;
  };
}
