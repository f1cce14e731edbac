import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type ResponseHead, readHead } from './proxy-response.ts';

/** Eight null bytes end the head of a streamed response. API Gateway searches only the first 16 KB for them. */
const delimiterBytes = 8;
const headLimitBytes = 16 * 1024;
const streamLimitBytes = 200 * 1024 * 1024;

/** The function's stream is not a valid response for API Gateway. */
class MalformedStreamError extends Error {}

export interface StreamedResponseOptions {
  response: ServerResponse;
  /** Writes status and headers, before the first byte of the body. */
  onHead(head: ResponseHead): void;
}

/** Turns the stream of a function into an HTTP response, at the speed at which the client reads. */
export class StreamedResponse {
  /** Whether the client has received a status. From then on, only a broken connection can signal an error. */
  started = false;
  readonly #options: StreamedResponseOptions;
  #headBytes: Buffer = Buffer.alloc(0);
  #bodyBytes = 0;

  constructor(options: StreamedResponseOptions) {
    this.#options = options;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.started) {
      await this.#writeBody(bytes);
      return;
    }
    this.#headBytes = Buffer.concat([this.#headBytes, bytes]);
    const end = this.#headBytes.indexOf(Buffer.alloc(delimiterBytes));
    if (end === -1) {
      if (this.#headBytes.length > headLimitBytes) throw new MalformedStreamError('The response has no head');
      return;
    }
    const head = readHead(this.#headBytes.subarray(0, end).toString('utf8'));
    if (head === undefined) throw new MalformedStreamError('The head of the response is malformed');
    this.started = true;
    this.#options.onHead(head);
    const rest = this.#headBytes.subarray(end + delimiterBytes);
    if (rest.length > 0) await this.#writeBody(rest);
    else this.#options.response.flushHeaders();
  }

  async #writeBody(bytes: Uint8Array): Promise<void> {
    this.#bodyBytes += bytes.byteLength;
    if (this.#bodyBytes > streamLimitBytes) throw new MalformedStreamError('The response is larger than 200 MB');
    const { response } = this.#options;
    // A client that disconnected does not stop the function. Further bytes are dropped.
    if (response.destroyed || response.write(bytes)) return;
    const ended = new AbortController();
    const gone = () => ended.abort();
    response.once('close', gone);
    await once(response, 'drain', { signal: ended.signal }).catch(() => {});
    response.off('close', gone);
  }
}
