import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoSite } from '../../examples/demo/start-demo-site.ts';

const options = {
  port: 0,
  // Nothing listens there: the pages are served anyway.
  apiUrl: 'http://127.0.0.1:9',
  orgId: 'org_shop',
  storefrontToken: 'gl_pub_shop',
  apiKey: 'gl_test_secret',
  officeKey: 'gl_test_office',
  demoGateToken: 'gl_gate_shop',
  identity: {
    fans: [],
    staff: [],
    signIn: () => '',
    issuer: 'https://login.example',
    audience: 'shop',
    keys: '{"keys":[]}',
  },
};
let site: Awaited<ReturnType<typeof startDemoSite>>;

beforeAll(async () => {
  site = await startDemoSite(options);
});
afterAll(() => site?.stop());

const get = async (path: string) => {
  const response = await fetch(`${site.url}${path}`);
  return { status: response.status, text: await response.text() };
};

describe('the shop and the office on one address', () => {
  it('each has its own pages, and no page has a secret key', async () => {
    for (const [path, script] of [
      ['/', '/shop.js'],
      ['/gate', '/shop.js'],
      ['/office', '/office.js'],
      ['/office/events/7', '/office.js'],
    ] as const) {
      const { status, text } = await get(path);
      expect([path, status, text.includes(`src="${script}"`)]).toEqual([path, 200, true]);
    }
    for (const path of ['/shop.js', '/office.js', '/config.json']) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text.length).toBeGreaterThan(100);
      expect(text).not.toContain(options.apiKey);
      expect(text).not.toContain(options.officeKey);
    }
  });

  it('the pages of the shop lead to the office, and a path that nobody knows is the shop’s', async () => {
    expect(JSON.parse((await get('/config.json')).text)).toMatchObject({
      officeUrl: '/office',
      demoGateToken: 'gl_gate_shop',
    });
    const { status, text } = await get('/no-such-page');
    expect([status, text.includes('src="/shop.js"')]).toEqual([404, true]);
    expect((await get('/office/session')).status).toBe(401);
  });
});
