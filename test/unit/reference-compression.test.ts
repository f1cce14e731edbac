import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveReference } from '../../local/reference/serve.ts';

const serve = serveReference(() => 'http://127.0.0.1:3000', '.local');
const server = createServer((request, response) => {
  if (!serve(request, response)) response.writeHead(404).end();
});
let address = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
});
afterAll(() => void server.close());

describe('the reference page of the local run', () => {
  it.each(['/docs/openapi.json', '/llms.txt'])('%s is sent compressed to whoever accepts gzip', async (path) => {
    const packed = await fetch(`${address}${path}`, { headers: { 'Accept-Encoding': 'gzip' } });
    const plain = await fetch(`${address}${path}`, { headers: { 'Accept-Encoding': 'identity' } });
    expect(packed.headers.get('Content-Encoding')).toBe('gzip');
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(await packed.text()).toBe(await plain.text());
    const [few, many] = [packed, plain].map(({ headers }) => Number(headers.get('Content-Length')));
    expect(few).toBeLessThan((many ?? 0) / 2);
  });
});
