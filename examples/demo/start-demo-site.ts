import { startMailer } from '../mailer/start-mailer.ts';
import { office } from '../office/server/office.ts';
import type { OfficeOptions } from '../office/server/options.ts';
import type { ShopOptions } from '../shop/server/options.ts';
import { shop } from '../shop/server/shop.ts';
import { type StartedSite, startSite } from '../site/server/site.ts';

type DemoOptions = Omit<ShopOptions & OfficeOptions, 'officeUrl' | 'shopUrl'> & {
  /** Where the mailer keeps its mails. Without it, there is no mailer. */
  readonly mailerFolder?: string;
};

/** The shop and its office on one address, as `npm start` serves them, and the mailer beside them. */
export async function startDemoSite(options: DemoOptions): Promise<StartedSite & { readonly mailsUrl?: string }> {
  const site = await startSite(options, [shop({ ...options, officeUrl: '/office' }), office(options)]);
  const { apiUrl, apiKey, mailerFolder: folder, now, orgId } = options;
  if (folder === undefined) return site;
  const from = `tickets@${orgId.replace('org_', '')}.example.com`;
  // 3003 and 3004, beside the shops at 3001 and 3002.
  const port = options.port === 0 ? 0 : options.port + 2;
  const mailer = await startMailer({ apiUrl, apiKey, shopUrl: site.url, from, port, folder, ...(now && { now }) });
  return {
    url: site.url,
    mailsUrl: mailer.url,
    async stop() {
      await mailer.stop();
      await site.stop();
    },
  };
}
