import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startDemoSite } from '../../examples/demo/start-demo-site.ts';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { startGateline } from '../../local/run/start.ts';
import type { RunFile } from '../support/started-gateline.ts';
import { aPhone, launchChromium, Visitor } from './shop-visitor.ts';

/** The club of the demo, and a match that is on sale. */
export const orgId = 'org_harbourfc';
export const match = 'Harbour City FC v Western Rangers';

/** The theatre, and a show whose seats are on sale. */
export const theatreId = 'org_lantern';
export const show = 'A Christmas Carol';

/** The demo with its sample shop, as `npm start` runs them, and a browser. */
export interface ShopRun {
  readonly cloud: Cloud;
  readonly run: RunFile & { readonly shop_url: string; readonly theatre_shop_url: string };
  readonly folder: string;
  /** A fan or a member of the staff with a browser profile of their own. */
  visitor(browser?: Browser): Promise<Visitor>;
  /** Somebody who reads their mails, and follows their links. */
  mailReader(): Promise<Visitor>;
  /** A visitor of the theatre with a phone. */
  theatreVisitor(): Promise<Visitor>;
  stop(): Promise<void>;
}

export async function startShopRun(): Promise<ShopRun> {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-shop-'));
  const settings = { port: 0, data: 'memory', demo: 'full', physics: 'none', localFolder: folder } as const;
  const cloud = await startGateline(settings, { onLog: () => {}, startShop: startDemoSite });
  const run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  const chromium = await launchChromium();
  return {
    cloud,
    run,
    folder,
    visitor: async (browser = chromium) => Visitor.come(await browser.newContext(), run.shop_url, run.url),
    mailReader: async () => {
      const { origin } = new URL(run.mails_url);
      return Visitor.come(await chromium.newContext(), run.shop_url, run.url, origin);
    },
    theatreVisitor: async () => Visitor.come(await chromium.newContext(aPhone), run.theatre_shop_url, run.url),
    async stop() {
      await chromium.close();
      await cloud.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
