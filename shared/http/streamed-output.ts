import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import * as v from 'valibot';

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
    const text = Readable.from(wrapFailure(this.#parts));
    if (!compressed) return text;
    // The least effort already makes a tenth of such lists, and a function's time costs more than the bytes left.
    return pipeline(text, createGzip({ level: constants.Z_BEST_SPEED }), () => undefined);
  }
}

/**
 * What a stream that fails is destroyed with. The runtime prints it, so it says nothing of the data; the reason is for our own
 * log line, and private so that nothing prints it by the way.
 */
export class StreamAborted extends Error {
  override readonly name = 'BrokenOff';
  readonly #reason: unknown;

  constructor(reason: unknown) {
    super('The list broke off.');
    this.#reason = reason;
  }

  reason(): unknown {
    return this.#reason;
  }
}

async function* wrapFailure(parts: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* parts;
  } catch (error) {
    throw new StreamAborted(error);
  }
}

/** No client needs more to say what it accepts; anybody may send more. */
const maxHeaderLength = 200;

export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined || acceptEncoding.length > maxHeaderLength) return false;
  return acceptEncoding.split(',').some((coding) => {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return (name === 'gzip' || name === '*') && Number(weight) > 0;
  });
}

interface ListParts<Item extends v.GenericSchema> {
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly item: Item;
  readonly chunks: AsyncIterable<readonly v.InferInput<Item>[]>;
}

/**
 * A list envelope whose items come in chunks, each item checked against its schema. What is known beforehand comes first, so
 * that a reader can see it early.
 */
export async function* serializeList<Item extends v.GenericSchema>({
  envelope,
  item,
  chunks,
}: ListParts<Item>): AsyncGenerator<string> {
  yield `${JSON.stringify(envelope).slice(0, -1)},"data":[`;
  let separator = '';
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield separator + chunk.map((one) => JSON.stringify(v.parse(item, one))).join(',');
    separator = ',';
  }
  yield ']}';
}
