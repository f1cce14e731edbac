import { Pages } from '../../site/server/pages.ts';
import { type SitePart, type StartedSite, startSite } from '../../site/server/site.ts';
import { BackOffice } from './back-office.ts';
import type { OfficeOptions } from './options.ts';

/** The office on a server of its own. Its pages begin at `/office`. */
export const startOffice = (options: OfficeOptions): Promise<StartedSite> => startSite(options, [office(options)]);

/** The office: pages for staff, and a server that passes on their calls. */
export function office(options: OfficeOptions): SitePart {
  const backOffice = new BackOffice(options, options.now ?? Date.now);
  return {
    pages: new Pages('office', new URL('../browser/', import.meta.url)),
    paths: /^\/office(\/[\w/-]+)?$/,
    config: { shopUrl: options.shopUrl },
    respond: (request, response, path) =>
      /^\/office\/(session$|api\/)/.test(path) ? backOffice.respond(request, response, path) : undefined,
  };
}
