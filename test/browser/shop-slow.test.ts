import type { Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { match, type ShopRun, show, startShopRun } from './shop-run.ts';
import type { Visitor } from './shop-visitor.ts';

let shop: ShopRun;

beforeAll(async () => {
  shop = await startShopRun();
});
afterAll(() => shop?.stop());

/** A phone of today. */
const phone = { width: 390, height: 844 };

async function visitorWithBasket(): Promise<Visitor> {
  const fan = await shop.visitor();
  await fan.page.setViewportSize(phone);
  await fan.choose(match, { Adult: 2 });
  await fan.heading('Your basket').waitFor();
  return fan;
}

const eventPath = async (fan: Visitor, title: string): Promise<string> => {
  await fan.open('/');
  return (await fan.page.getByRole('link', { name: title, exact: true }).getAttribute('href')) ?? '';
};

/** Waits until nothing is loading on the page. */
const settled = async ({ page }: Visitor): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.loading').waitFor({ state: 'detached' });
};

/** How many requests a page sends until nothing is loading, and how many bytes of answers come. */
async function weigh(fan: Visitor, path: string): Promise<{ readonly requests: number; readonly bytes: number }> {
  const sizes: Promise<number>[] = [];
  const weighed = (request: Request): void =>
    void sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
  fan.page.on('requestfinished', weighed);
  await fan.page.goto(`${shop.run.shop_url}${path}`);
  await settled(fan);
  fan.page.off('requestfinished', weighed);
  const all = await Promise.all(sizes);
  return { requests: all.length, bytes: all.reduce((sum, size) => sum + size, 0) };
}

/** The sum of all shifts of the layout until now. */
const shifts = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 300);
})`;

describe('the sample shop on a slow network', () => {
  it('can be read before its script arrives, and asks for everything at the same time', async () => {
    const fan = await visitorWithBasket();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let start = (): void => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const asked: string[] = [];
    await fan.page.route('**/*', async (route) => {
      const request = route.request();
      if (request.isNavigationRequest()) return route.continue();
      const isScript = request.resourceType() === 'script';
      if (!isScript) asked.push(new URL(request.url()).pathname);
      await (isScript ? started : released);
      await route.continue();
    });
    await fan.page.goto(`${shop.run.shop_url}/`, { waitUntil: 'commit' });
    await fan.heading('Be there with Harbour City FC').waitFor();
    await fan.page.getByRole('navigation').getByRole('link', { name: 'My tickets' }).waitFor();
    expect(await fan.page.evaluate("getComputedStyle(document.querySelector('header')).backgroundColor")).toBe(
      'rgb(11, 37, 69)',
    );
    start();
    await fan.page.getByText('Loading the events').waitFor();
    await expect
      .poll(() => asked.map((path) => path.replace(/\d{4,}.*/, '')).sort(), { timeout: 120_000 })
      .toEqual(['/sales.json', '/v1/baskets/', '/v1/events']);
    release();
    await fan.page.getByRole('link', { name: match }).waitFor();
    expect(fan.mistakes).toEqual([]);
  });

  it('loads at most 163 kB in 7 requests, and nothing moves while a page loads', async () => {
    const fan = await visitorWithBasket();
    const paths = ['/', await eventPath(fan, match), '/basket', '/checkout', '/memberships', '/my-tickets'];
    for (const path of paths) {
      const { requests, bytes } = await weigh(fan, path);
      expect(requests, path).toBeLessThanOrEqual(7);
      expect(bytes, path).toBeLessThanOrEqual(163_000);
      const moved = Number(await fan.page.evaluate(shifts));
      expect(moved, path).toBeLessThan(0.1);
    }
  });
});

describe('the sample shop on a small screen', () => {
  it('has one row of navigation with the number of things in the basket', async () => {
    const fan = await visitorWithBasket();
    const nav = fan.page.getByRole('navigation', { name: 'Shop' });
    await nav.getByRole('link', { name: 'Basket 2' }).waitFor();
    const boxes = await Promise.all((await nav.getByRole('link').all()).map((link) => link.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  });

  it('is not wider than the screen with texts of twice the size', async () => {
    const fan = await visitorWithBasket();
    const event = await eventPath(fan, match);
    const session = await fan.page.context().newCDPSession(fan.page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const path of ['/', event, '/basket', '/checkout', '/memberships', '/sign-in', '/my-tickets']) {
      await fan.page.goto(`${shop.run.shop_url}${path}`);
      await settled(fan);
      expect(await fan.page.evaluate('getComputedStyle(document.documentElement).fontSize')).toBe('34px');
      expect(await fan.page.evaluate('document.documentElement.scrollWidth'), path).toBe(phone.width);
    }
    const visitor = await shop.theatreVisitor();
    await visitor.page.setViewportSize(phone);
    const seated = await eventPath(visitor, show);
    const theirs = await visitor.page.context().newCDPSession(visitor.page);
    await theirs.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    await visitor.page.goto(`${shop.run.theatre_shop_url}${seated}`);
    await visitor.page.getByRole('button', { name: 'Choose the seats yourself' }).click();
    await visitor.page.getByRole('img', { name: 'Plan of the seats' }).waitFor();
    expect(await visitor.page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
  });
});
