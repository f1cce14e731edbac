import { Readable } from 'node:stream';

/**
 * A response that is a file and no JSON, of the operation's media type. API Gateway decodes binary answers of buffered functions only
 * for some Accept headers, and passes the bytes of a streamed one on as they are. So these operations are streamed.
 */
export class FileOutput {
  readonly bytes: Uint8Array;
  /** The name under which a browser saves it: letters, digits, hyphens and a dot. */
  readonly fileName: string;

  constructor(bytes: Uint8Array, fileName: string) {
    this.bytes = bytes;
    this.fileName = fileName;
  }

  toStream(): Readable {
    return Readable.from([this.bytes]);
  }
}
