import { join } from 'node:path';
import type { DemoOrganisation } from '../demo/organisations.ts';
import { type DemoSso, type DemoUser, demoProvider, demoToken } from '../demo/sso.ts';

interface Account {
  readonly id: DemoUser;
  readonly name: string;
  readonly note: string;
}

/** The users of the demo's identity provider, as the sample shop shows them. */
const fans: readonly Account[] = [
  { id: 'linked', name: 'a fan with tickets', note: 'linked to a customer' },
  { id: 'verified', name: 'a fan with a verified email', note: 'the address of a customer: linked at the first visit' },
  { id: 'unlinked', name: 'a new fan', note: 'no verified email, so no customer to link to' },
];

const staff: readonly Account[] = [
  { id: 'staff', name: 'Sam of the box office', note: 'one of the staff: may open the back office' },
];

/** What differs between the shops of the demo. */
const shopSettings: Readonly<Record<string, { readonly welcome: string; readonly terms: readonly string[] }>> = {
  org_harbourfc: {
    welcome: 'Choose a match, and your tickets are yours in a minute.',
    terms: [
      'Tickets of a match that is moved to another day stay valid. If a match is cancelled, you get back what you paid.',
      'You may give a ticket to somebody else here, until it is used at the gate. Nobody may sell it for more than it cost.',
      'Members keep to the rules of the ground. Instalments of a membership are owed until the end of its term.',
    ],
  },
  org_lantern: {
    welcome: 'Choose a show and your seats, and your tickets are yours in a minute.',
    terms: [
      'Latecomers are seated in the interval, or when the show allows it.',
      'If a show is cancelled, you get back what you paid. Other tickets cannot be returned, but you may give them to somebody else here.',
    ],
  },
};

/** What the sample shop and office of an organisation need of the local run. */
function demoShop(organisation: DemoOrganisation, sso: DemoSso, { url, localFolder, now }: ShopRun) {
  return {
    apiUrl: url,
    orgId: organisation.org_id,
    storefrontToken: organisation.publishable_key,
    apiKey: organisation.api_key,
    officeKey: organisation.office_key,
    demoGateToken: organisation.gate_token,
    mailerFolder: join(localFolder, 'mailer', organisation.org_id),
    ...shopSettings[organisation.org_id],
    identity: {
      ...demoProvider(sso),
      fans,
      staff,
      signIn(accountId: string): string {
        const known = [...fans, ...staff].find(({ id }) => id === accountId);
        if (known === undefined) throw new Error(`The demo has no user ${accountId}.`);
        return demoToken(sso, known.id, Math.floor(now() / 1000));
      },
    },
    now,
  };
}

/** Starts a shop with its office. `npm start` passes the one of `examples/demo`, which this folder does not import. */
export type StartShop = (
  shop: ReturnType<typeof demoShop> & { readonly port: number },
) => Promise<{ readonly url: string; readonly mailsUrl?: string; stop(): Promise<void> }>;

interface ShopRun {
  readonly url: string;
  readonly localFolder: string;
  now(): number;
}

interface Seller {
  readonly organisation: DemoOrganisation;
  readonly sso: DemoSso;
}

/** Starts a shop for each organisation, beside the API: 3001 and 3002 next to 3000. */
export async function startDemoShops(
  startShop: StartShop,
  sellers: readonly Seller[],
  { port, ...run }: ShopRun & { readonly port: number },
): Promise<readonly Awaited<ReturnType<StartShop>>[]> {
  const shops: Awaited<ReturnType<StartShop>>[] = [];
  for (const [index, { organisation, sso }] of sellers.entries()) {
    const own = demoShop(organisation, sso, run);
    shops.push(await startShop({ ...own, port: port === 0 ? 0 : port + 1 + index }));
  }
  return shops;
}
