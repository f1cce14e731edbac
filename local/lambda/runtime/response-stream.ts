import { Writable } from 'node:stream';

/** How many bytes may be on their way to the reader before the function has to wait. */
const windowBytes = 256 * 1024;

/**
 * The stream that a streaming handler writes its response to. It lets bytes go only while the reader keeps up, so memory
 * stays flat however long the response is and however slow the client.
 */
export class ResponseStream extends Writable {
  private readonly send: (bytes: Uint8Array) => void;
  private prelude: Uint8Array | undefined;
  private underway = 0;
  private resume: (() => void) | undefined;

  constructor(send: (bytes: Uint8Array) => void) {
    super({ highWaterMark: 64 * 1024 });
    this.send = send;
  }

  /** Lambda keeps the type for function URLs; API Gateway takes it from the prelude's headers. */
  setContentType(_contentType: string): void {}

  /** Keeps the response's head back until the first byte, as Lambda does: a handler that fails before has sent nothing. */
  holdPrelude(prelude: Uint8Array): void {
    this.prelude = prelude;
  }

  taken(bytes: number): void {
    this.underway -= bytes;
    if (this.underway >= windowBytes) return;
    const resume = this.resume;
    this.resume = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.sendPrelude();
    this.sendNow(new Uint8Array(chunk));
    if (this.underway < windowBytes) done();
    else this.resume = done;
  }

  override _final(done: (error?: Error | null) => void): void {
    this.sendPrelude();
    done();
  }

  private sendPrelude(): void {
    if (this.prelude !== undefined) this.sendNow(this.prelude);
    this.prelude = undefined;
  }

  private sendNow(bytes: Uint8Array): void {
    this.underway += bytes.byteLength;
    this.send(bytes);
  }
}

/** API Gateway finds the end of the head by eight null bytes, which JSON cannot contain. */
const delimiter = new Uint8Array(8);

/** `awslambda.HttpResponseStream` of Lambda's Node.js runtime. */
export const HttpResponseStream = {
  from(stream: ResponseStream, metadata: unknown): ResponseStream {
    stream.setContentType('application/vnd.awslambda.http-integration-response');
    stream.holdPrelude(Buffer.concat([Buffer.from(JSON.stringify(metadata)), delimiter]));
    return stream;
  },
};
