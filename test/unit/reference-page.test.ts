import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { themes } from '../../local/reference/colours.ts';
import { guideNames } from '../../local/reference/guides.ts';
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

  it('is where a browser comes from the address of the API, and a program does not', async () => {
    const opened = (accept: string) => fetch(`${address}/`, { headers: { Accept: accept }, redirect: 'manual' });
    const browser = await opened('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([browser.status, browser.headers.get('Location')]).toEqual([302, '/docs/']);
    for (const accept of ['*/*', 'application/json']) expect((await opened(accept)).status).toBe(404);
  });

  it('has the introduction and each guide at the top level of its description', async () => {
    const { info } = JSON.parse(await (await fetch(`${address}/docs/openapi.json`)).text());
    const titles: string[] = info.description.match(/^# .+$/gm);
    // Scalar puts the headings below the introduction if that has none.
    expect(info.description.startsWith('# Introduction\n')).toBe(true);
    expect(titles).toContain('# Sell your first ticket');
    expect(titles.length).toBeGreaterThan(guideNames.length);
  });
});

/** The contrast of two colours, as WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('the colours of the reference page', () => {
  const pairs = Object.entries(themes).flatMap(([theme, { texts, backgrounds }]) =>
    Object.entries(texts).flatMap(([text, colour]) => backgrounds.map((on) => ({ theme, text, colour, on }))),
  );

  it.each(pairs)('$theme: $text on $on has the contrast of WCAG AA', ({ colour, on }) => {
    expect(contrast(colour, on)).toBeGreaterThanOrEqual(4.5);
  });
});
