import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import * as v from 'valibot';

/** A response that is too large for memory: it is produced in parts, and each part is sent at once. */
export class StreamedOutput {
  readonly #parts: AsyncIterable<string>;

  constructor(parts: AsyncIterable<string>) {
    this.#parts = parts;
  }

  /**
   * The bytes of the response. Reading pauses while the client is slow. A failure in the middle destroys the stream, which
   * closes the connection early: the client must see that the list is incomplete.
   */
  toStream(compressed: boolean): Readable {
    const text = Readable.from(wrapFailure(this.#parts));
    if (!compressed) return text;
    // The lowest level already shrinks such lists to a tenth, and the function's time costs more than the remaining bytes.
    return pipeline(text, createGzip({ level: constants.Z_BEST_SPEED }), () => undefined);
  }
}

/**
 * The error that destroys a failed stream. The Lambda runtime prints it, so it contains no data. The reason goes to our own
 * log entry only, and is private: nothing else prints it.
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

/** A legitimate Accept-Encoding header is shorter. Longer ones are not parsed. */
const maxHeaderLength = 200;

/** `*` stands for the codings that the header does not name: `gzip;q=0, *` accepts anything but gzip (RFC 9110, 12.5.3). */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined || acceptEncoding.length > maxHeaderLength) return false;
  const weights = new Map<string, number>();
  for (const coding of acceptEncoding.split(',')) {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    weights.set(name, Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

interface ListParts<Item extends v.GenericSchema> {
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly item: Item;
  readonly chunks: AsyncIterable<readonly v.InferInput<Item>[]>;
}

/**
 * Serializes a list envelope whose items arrive in chunks, and validates each item against its schema. The known fields come
 * first, so a client can read them early.
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
    yield separator + JSON.stringify(chunk.map((one) => v.parse(item, one))).slice(1, -1);
    separator = ',';
  }
  yield ']}';
}
