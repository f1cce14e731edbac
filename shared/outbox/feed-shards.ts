/** How many partitions the feed of one organisation is spread over. */
export const feedShards = 8;

/** The id alone determines the shard and leads to the row. The last letter of an id is random. */
export function feedShardOf(eventId: string): number {
  return eventId.charCodeAt(eventId.length - 1) % feedShards;
}
