import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Sha256 } from '../../shared/data/table/sha256.ts';

const bytes = new Uint8Array([1, 2, 3, 4]);

describe('hashes of signatures', () => {
  it.each([['text: ä'], [bytes], [bytes.subarray(1, 3)], [bytes.buffer]])('the hash of %o is SHA-256', async (data) => {
    const hash = new Sha256();
    hash.update(data);
    const expected = createHash('sha256').update(typeof data === 'string' ? data : new Uint8Array(data));
    expect(Buffer.from(await hash.digest()).toString('hex')).toBe(expected.digest('hex'));
  });

  it.each([['a secret'], [bytes], [bytes.subarray(1, 3)]])('the hash with the key %o is an HMAC', async (secret) => {
    const hash = new Sha256(secret);
    hash.update('a message');
    const expected = createHmac('sha256', secret).update('a message');
    expect(Buffer.from(await hash.digest()).toString('hex')).toBe(expected.digest('hex'));
  });
});
