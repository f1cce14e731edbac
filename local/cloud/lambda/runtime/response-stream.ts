import { Writable } from 'node:stream';

/** The number of unacknowledged bytes after which the function must wait. */
const windowBytes = 256 * 1024;

/**
 * The response stream of a streaming handler. It sends bytes only while the reader keeps up, so memory stays constant for
 * long responses and slow clients.
 */
export class ResponseStream extends Writable {
  readonly #send: (bytes: Uint8Array) => void;
  #prelude: Uint8Array | undefined;
  #unacknowledgedBytes = 0;
  #resume: (() => void) | undefined;

  constructor(send: (bytes: Uint8Array) => void) {
    super({ highWaterMark: 64 * 1024 });
    this.#send = send;
  }

  /** Lambda uses this type for function URLs. API Gateway uses the headers of the prelude. */
  setContentType(_contentType: string): void {}

  /** Holds back the head of the response until the first byte, like Lambda: a handler that fails earlier has sent nothing. */
  holdPrelude(prelude: Uint8Array): void {
    this.#prelude = prelude;
  }

  acknowledge(bytes: number): void {
    this.#unacknowledgedBytes -= bytes;
    if (this.#unacknowledgedBytes >= windowBytes) return;
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#sendPrelude();
    this.#sendNow(new Uint8Array(chunk));
    if (this.#unacknowledgedBytes < windowBytes) done();
    else this.#resume = done;
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#sendPrelude();
    done();
  }

  #sendPrelude(): void {
    if (this.#prelude !== undefined) this.#sendNow(this.#prelude);
    this.#prelude = undefined;
  }

  #sendNow(bytes: Uint8Array): void {
    this.#unacknowledgedBytes += bytes.byteLength;
    this.#send(bytes);
  }
}

/** Eight null bytes, which JSON cannot contain, mark the end of the head for API Gateway. */
const delimiter = new Uint8Array(8);

/** `awslambda.HttpResponseStream` of Lambda's Node.js runtime. */
export const HttpResponseStream = {
  from(stream: ResponseStream, metadata: unknown): ResponseStream {
    stream.setContentType('application/vnd.awslambda.http-integration-response');
    stream.holdPrelude(Buffer.concat([Buffer.from(JSON.stringify(metadata)), delimiter]));
    return stream;
  },
};
