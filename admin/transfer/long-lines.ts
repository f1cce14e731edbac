/** No row comes near this length. */
export const maxLineBytes = 1_000_000;

const isLineEnd = (byte: number): boolean => byte === 10 || byte === 13;

/** Cuts lines to `maxLineBytes`, so a file without line ends does not fill the memory. */
export async function* cutLongLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let lineBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (const [position, byte] of chunk.entries()) {
      if (isLineEnd(byte) && lineBytes > maxLineBytes) start = position;
      lineBytes = isLineEnd(byte) ? 0 : lineBytes + 1;
      if (lineBytes === maxLineBytes + 1) yield chunk.subarray(start, position);
    }
    if (lineBytes <= maxLineBytes) yield chunk.subarray(start);
  }
}
