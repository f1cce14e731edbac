import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, shareService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await shareService([]);
});
afterAll(() => service.stop());

/** The bytes as they were sent: fetch would decompress them. */
const download = (headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>(
    (resolve, reject) => {
      const outgoing = request(`${service.url}/v1/openapi.json`, { headers }, (response) => {
        buffer(response).then(
          (bytes) => resolve({ status: response.statusCode, headers: response.headers, bytes }),
          reject,
        );
      });
      outgoing.once('error', reject);
      outgoing.end();
    },
  );

describe('GET /v1/openapi.json', () => {
  it('is sent compressed to whoever accepts gzip, a tenth of its size', async () => {
    const [plain, packed] = [await download(), await download({ 'Accept-Encoding': 'gzip, deflate' })];
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5);
  });

  it('may be kept by any cache, and is not sent again to whoever has it', async () => {
    const { headers } = await download({ 'Accept-Encoding': 'gzip' });
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
    });
    const known = await download({ 'If-None-Match': String(headers.etag) });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
    expect(known.headers).toMatchObject({ etag: headers.etag, 'cache-control': 'public, max-age=300' });
  });
});
