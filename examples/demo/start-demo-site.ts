import { office } from '../office/server/office.ts';
import type { OfficeOptions } from '../office/server/options.ts';
import type { ShopOptions } from '../shop/server/options.ts';
import { shop } from '../shop/server/shop.ts';
import { type StartedSite, startSite } from '../site/server/site.ts';

/** The shop and its office on one address, as `npm start` serves them. */
export function startDemoSite(
  options: Omit<ShopOptions & OfficeOptions, 'officeUrl' | 'shopUrl'>,
): Promise<StartedSite> {
  return startSite(options, [shop({ ...options, officeUrl: '/office' }), office(options)]);
}
