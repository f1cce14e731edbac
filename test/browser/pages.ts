import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import * as v from 'valibot';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';

const shop = readFileSync(new URL('shop.html', import.meta.url));

/** What the script of a page sees of a response, or that it sees nothing: browsers tell a page no reason. */
export type SeenResponse =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: unknown }
  | 'network error';

export interface PageCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A page of an origin of its own. Nothing but its script calls the API. */
export interface ShopPage {
  readonly origin: string;
  /** The tab, for what only a test of one page does. */
  readonly tab: Page;
  /** The preflight requests that the browser has sent for this page, as `POST https://…`. */
  readonly preflights: readonly string[];
  call(url: string, options?: PageCall): Promise<SeenResponse>;
  /** Opens the shop, clicks on its button, and returns what it shows. */
  buy(options: { readonly api: string; readonly token: string; readonly org: string }): Promise<unknown>;
  /** A page of another origin in the same browser profile, so both share the cache. */
  sibling(): Promise<ShopPage>;
}

/** A real browser, and pages that are served from ports of their own: each port is an origin. */
export class Pages {
  readonly #browser: Browser;
  readonly #stops: (() => Promise<unknown>)[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<Pages> {
    const executablePath = process.env.CHROMIUM;
    if (executablePath === undefined) throw new Error('Run these tests with: npm run test:browser');
    // Chromium's own sandbox does not run as root, and the pages are ours.
    return new Pages(await chromium.launch({ executablePath, args: ['--no-sandbox'] }));
  }

  /** Opens a page of a new origin, in a new browser profile with an empty cache. */
  async open(): Promise<ShopPage> {
    return this.#openIn(await this.#browser.newContext());
  }

  async #openIn(context: BrowserContext): Promise<ShopPage> {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(shop);
    });
    const origin = `http://127.0.0.1:${await listen(server, 0)}`;
    this.#stops.push(() => closeServer(server));
    const page = await context.newPage();
    const preflights = await watchPreflights(page);
    await page.goto(`${origin}/`);
    return {
      origin,
      tab: page,
      preflights,
      call: (url, options = {}) => callFrom(page, url, options),
      buy: (options) => buyAt(page, `${origin}/?${new URLSearchParams({ ...options })}`),
      sibling: () => this.#openIn(context),
    };
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    for (const stop of this.#stops) await stop();
  }
}

const PreflightRequest = v.object({
  request: v.object({ method: v.literal('OPTIONS'), url: v.string(), headers: v.record(v.string(), v.string()) }),
});

/** Playwright does not show preflight requests, but Chromium's own protocol does. */
async function watchPreflights(page: Page): Promise<string[]> {
  const preflights: string[] = [];
  const session = await page.context().newCDPSession(page);
  session.on('Network.requestWillBeSent', (event) => {
    const { success, output } = v.safeParse(PreflightRequest, event);
    if (success) preflights.push(`${output.request.headers['Access-Control-Request-Method']} ${output.request.url}`);
  });
  await session.send('Network.enable');
  return preflights;
}

async function buyAt(page: Page, url: string): Promise<unknown> {
  await page.goto(url);
  await page.click('#buy');
  const result = page.locator('#result');
  await result.filter({ hasText: /./ }).waitFor();
  return JSON.parse(await result.innerText());
}

function callFrom(page: Page, url: string, options: PageCall): Promise<SeenResponse> {
  return page.evaluate(
    async ([target, init]): Promise<SeenResponse> => {
      try {
        const response = await fetch(target, init);
        const text = await response.text();
        const body: unknown = text === '' ? undefined : JSON.parse(text);
        return { status: response.status, headers: Object.fromEntries(response.headers), body };
      } catch {
        return 'network error';
      }
    },
    [url, options] as const,
  );
}
