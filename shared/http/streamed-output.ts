import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';

/** An answer that is too large to hold: its text comes in parts, and is sent as it comes. */
export class StreamedOutput {
  readonly #parts: AsyncIterable<string>;

  constructor(parts: AsyncIterable<string>) {
    this.#parts = parts;
  }

  /**
   * The bytes of the answer. Reading pauses while the client is slow. A failure in the middle destroys the stream, which
   * breaks the connection off: the client must see that the list is not whole.
   */
  toStream(compressed: boolean): Readable {
    const text = Readable.from(this.#parts);
    if (!compressed) return text;
    // The least effort already makes a tenth of such lists, and a function's time costs more than the bytes left.
    return pipeline(text, createGzip({ level: constants.Z_BEST_SPEED }), () => undefined);
  }
}

export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .some((coding) => /^\s*(gzip|\*)\s*(;\s*q\s*=\s*(1|0?\.\d*[1-9]\d*|1\.0*))?\s*$/.test(coding));
}

/** A list envelope whose items come in chunks. What is known beforehand comes first, so that a reader can see it early. */
export async function* streamedList<Item>(
  envelope: Readonly<Record<string, unknown>>,
  chunks: AsyncIterable<readonly Item[]>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(envelope).slice(0, -1)},"data":[`;
  let separator = '';
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield separator + chunk.map((item) => JSON.stringify(item)).join(',');
    separator = ',';
  }
  yield ']}';
}
