import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto';
import { Fault } from '../../platform/fault.ts';

type Bytes = string | ArrayBuffer | ArrayBufferView;

/** The hashes of signatures. Node takes a quarter of the time for an HMAC if its key is a key object instead of bytes. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: Bytes) {
    this.#hash = secret ? createHmac('sha256', createSecretKey(bufferOf(secret))) : createHash('sha256');
  }

  update(data: Bytes): void {
    this.#hash.update(bufferOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Fault('A signature uses a hash once.');
  }
}

function bufferOf(data: Bytes): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
}
