/** How many partitions the feed of one organisation is spread over. */
export const feedShards = 4;

/** Follows from the id, so that whoever holds the id finds the row. The last letter of an id is random. */
export function feedShardOf(eventId: string): number {
  return eventId.charCodeAt(eventId.length - 1) % feedShards;
}
