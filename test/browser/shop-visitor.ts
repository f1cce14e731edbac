import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import * as v from 'valibot';
import { expect } from 'vitest';

/** Where a person looks at what the tests have seen. Not part of the repository. */
export const screenshots = fileURLToPath(new URL('../../.build/screenshots', import.meta.url));

const phone = { width: 390, height: 844 };
/** A phone whose screen feels fingers. */
export const aPhone = { viewport: phone, hasTouch: true, isMobile: true };
const desktop = { width: 1280, height: 800 };

/** Chromium of this machine. Its own sandbox does not run as root, and the pages are ours. */
export function launchChromium(...args: readonly string[]): Promise<Browser> {
  const executablePath = process.env.CHROMIUM;
  if (executablePath === undefined) throw new Error('Run these tests with: npm run test:browser');
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
}

/** What axe finds: the rule, and the elements that break it. */
const Findings = v.object({
  violations: v.array(v.object({ id: v.string(), nodes: v.array(v.object({ html: v.string() })) })),
});

/** A visitor of the shop with a phone and a browser profile of their own. */
export class Visitor {
  readonly page: Page;
  /** What went wrong in the pages: exceptions, and requests to another origin than the shop and the API. */
  readonly mistakes: string[] = [];
  readonly #shopUrl: string;

  constructor(page: Page, shopUrl: string, origins: readonly string[]) {
    this.page = page;
    this.#shopUrl = shopUrl;
    // Only ends a hang: a busy machine starts functions slowly.
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => this.mistakes.push(String(error)));
    page.on('console', (message) => {
      // A refused request is part of many tests, and browsers report each one.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) this.mistakes.push(message.text());
    });
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && !origins.includes(new URL(request.url()).origin)) {
        this.mistakes.push(`request to ${request.url()}`);
      }
    });
  }

  static async come(context: BrowserContext, shopUrl: string, ...others: readonly string[]): Promise<Visitor> {
    return new Visitor(await context.newPage(), shopUrl, [shopUrl, ...others]);
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.#shopUrl + path);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  heading(name: string | RegExp) {
    return this.page.getByRole('heading', { level: 1, name });
  }

  /** Chooses tickets of an event and adds them to the basket. */
  async choose(eventTitle: string, quantities: Readonly<Record<string, number>>): Promise<void> {
    await this.open('/');
    await this.page.getByRole('link', { name: eventTitle }).click();
    for (const [title, quantity] of Object.entries(quantities)) {
      await this.page.getByLabel(title).first().selectOption(String(quantity));
    }
    await this.page.getByRole('button', { name: /^Add / }).click();
  }

  /** Goes from the basket to the payment, fills in the form and pays with the method of this name. */
  async pay(method: string | RegExp, email = 'ada@example.com'): Promise<void> {
    await this.page.getByRole('link', { name: /^Go to the payment|^Back to the payment/ }).click();
    await this.fillIn(email);
    await this.page.getByLabel(method).check();
    await this.page.getByRole('button', { name: /^Pay / }).click();
  }

  async fillIn(email: string): Promise<void> {
    await this.page.getByLabel('First name').fill('Ada');
    await this.page.getByLabel('Last name').fill('Lovelace');
    await this.page.getByRole('textbox', { name: 'Email' }).fill(email);
  }

  /** What has the focus, as a screen reader calls it. */
  async focused(): Promise<string> {
    return String(await this.page.evaluate(focusedName));
  }

  /**
   * Presses a button, and once more while the request of the first press is on its way: meanwhile it says that it works and keeps the
   * focus, and nothing is sent twice.
   */
  async pressTwice(name: string | RegExp): Promise<void> {
    const sent: string[] = [];
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await this.page.route('**/*', async (route) => {
      const request = route.request();
      // A page asks with dry_run what would come back, whenever it is shown.
      const isReading = ['GET', 'OPTIONS'].includes(request.method()) || request.postData()?.includes('dry_run');
      if (isReading) return route.fallback();
      sent.push(`${request.method()} ${request.url()}`);
      await released;
      return route.fallback();
    });
    await this.page.getByRole('button', { name }).first().press('Enter');
    await this.page.locator('button[aria-busy=true]', { hasText: 'One moment' }).first().waitFor();
    await expect.poll(() => sent.length, { timeout: 120_000 }).toBe(1);
    expect(await this.focused(), String(name)).toMatch(/^One moment/);
    await this.page.keyboard.press('Enter');
    expect(sent, String(name)).toHaveLength(1);
    release();
    await this.page.unrouteAll({ behavior: 'wait' });
  }

  /** Presses Tab until the element with this name has the focus, as somebody without a mouse does. */
  async tabTo(name: string | RegExp): Promise<void> {
    for (let presses = 0; presses < 400; presses += 1) {
      await this.page.keyboard.press('Tab');
      const text = await this.focused();
      if (typeof name === 'string' ? text === name : name.test(text)) return;
    }
    throw new Error(`Nothing that is called ${name} gets the focus.`);
  }

  /** The barcodes of the tickets on the page. */
  async barcodes(): Promise<readonly string[]> {
    const codes = this.page.getByRole('img', { name: /^QR code/ });
    await codes
      .first()
      .waitFor()
      .catch(async (error: unknown) => {
        const shown = await this.page.getByRole('main').innerText();
        throw new Error(`The page shows no ticket, but: ${shown}`, { cause: error });
      });
    return this.page.locator('.ticket .ticket-barcode').allInnerTexts();
  }

  /** On a phone and on a desktop: axe finds nothing, nothing is wider than the page, and a screenshot is kept. */
  async inspect(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    for (const viewport of [desktop, phone]) {
      await this.page.setViewportSize(viewport);
      await this.page.screenshot({ path: join(screenshots, `${name}-${viewport.width}.png`), fullPage: true });
      expect(await this.page.evaluate('document.documentElement.scrollWidth'), name).toBe(viewport.width);
      await this.page.evaluate(axe.source);
      const { violations } = v.parse(Findings, await this.page.evaluate('axe.run()'));
      expect(
        violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
        name,
      ).toEqual([]);
    }
    expect(this.mistakes, name).toEqual([]);
  }
}

/** About what a screen reader calls the element with the focus: enough for the elements of the shop. */
const focusedName = `(() => {
  const element = document.activeElement;
  return (element.getAttribute('aria-label') ?? (element.labels?.[0] ?? element).textContent ?? '').trim();
})()`;
