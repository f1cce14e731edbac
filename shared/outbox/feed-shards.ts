/** How many partitions the feed of one organisation is spread over. */
export const feedShards = 8;

/** The id alone determines the shard, so that the row is found by its id. The last letter of an id is random. */
export function feedShardOf(eventId: string): number {
  return eventId.charCodeAt(eventId.length - 1) % feedShards;
}
