import { setTimeout } from 'node:timers/promises';
import type { Organisation } from '../../site/browser/resources.ts';
import { answerJson, answerText } from '../../site/server/answer.ts';
import { Gateline } from '../../site/server/gateline.ts';
import { Pages } from '../../site/server/pages.ts';
import { readBody } from '../../site/server/read-body.ts';
import { type SitePart, type StartedSite, startSite } from '../../site/server/site.ts';
import { gateEvents } from './gate-events.ts';
import { kept } from './kept.ts';
import type { ShopOptions } from './options.ts';
import { receiptsOf } from './receipts.ts';
import { salesOfEvents, ticketsLeft } from './sales.ts';
import { shellOf } from './shell.ts';
import { ticketLinks } from './ticket-links.ts';
import { Webhooks } from './webhooks.ts';

/** The paths that the script of the pages knows. */
const paths =
  /^\/(|events\/[\w-]+|(waiting|confirm)\/[\w-]+\/\w+|kept\/\d+|basket|checkout|payment|confirmation|memberships(\/\d+)?|my-tickets|my-details|accept|sign-in|withdraw(\/\w+)?|gate|webhooks)$/;

const shellWithinMs = 300;

/** The shop on a server of its own. */
export const startShop = (options: ShopOptions): Promise<StartedSite> => startSite(options, [shop(options)]);

/** The shop: pages for fans, and a server that receives webhooks. */
export function shop(options: ShopOptions): SitePart {
  const { apiUrl, apiKey, storefrontToken, demoGateToken = null, officeUrl, welcome, terms } = options;
  const gateline = new Gateline(apiUrl, apiKey);
  const now = options.now ?? Date.now;
  const webhooks = new Webhooks(gateline, now);
  const storefront = new Gateline(apiUrl, storefrontToken);
  const callers = { storefront, gateline };
  const organisation = kept(() => storefront.call<Organisation>('GET', '/v1/organisation'), { seconds: 60, now });
  const sales = kept(() => salesOfEvents(storefront, now()), { seconds: 10, now });
  const left = kept((eventId) => ticketsLeft(callers, eventId), { seconds: 1, now });
  return {
    pages: new Pages('shop', new URL('../browser/', import.meta.url)),
    paths,
    config: { demoGateToken, officeUrl, welcome, terms },
    async shell(path) {
      // A slow service must not keep the document waiting.
      const known = await Promise.race([organisation('').catch(() => undefined), setTimeout(shellWithinMs, undefined)]);
      return shellOf({ organisation: known, path, welcome });
    },
    visited: (siteUrl) => webhooks.register(`${siteUrl}/webhooks`),
    respond(request, response, path) {
      const json = (body: Promise<object>) => body.then((found) => answerJson(response, found));
      const [, eventId] = request.method === 'GET' ? (/^\/events\/([\w-]+)\/left\.json$/.exec(path) ?? []) : [];
      if (eventId !== undefined) return json(left(eventId));
      switch (`${request.method} ${path}`) {
        case 'POST /ticket-links':
          return json(readBody(request).then((body) => ticketLinks(callers, body)));
        case 'POST /receipts':
          return json(readBody(request).then((body) => receiptsOf(callers, body)));
        case 'GET /sales.json':
          return json(sales(''));
        case 'GET /gate/events':
          return gateEvents(gateline, { apiUrl, nowMs: now() }, request.headers.authorization).then((events) =>
            events === undefined ? answerText(response, 401, 'This is no gate token.\n') : answerJson(response, events),
          );
        case 'GET /webhooks/stream':
          webhooks.stream(request, response);
          return Promise.resolve();
        case 'POST /webhooks':
          return webhooks.receive(request, response);
        default:
          return undefined;
      }
    },
    stop: () => webhooks.stop(),
  };
}
