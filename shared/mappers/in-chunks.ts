const chunkSize = 250;

/** Yields resources in chunks, so one part of a streamed response is sent while the next one is built. */
export async function* inChunks<Row, Resource>(
  rows: readonly Row[],
  resourceOf: (row: Row) => Resource,
): AsyncGenerator<readonly Resource[]> {
  for (let start = 0; start < rows.length; start += chunkSize) {
    yield rows.slice(start, start + chunkSize).map(resourceOf);
  }
}
