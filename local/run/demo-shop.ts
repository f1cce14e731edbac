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

/** What the sample shop and office of an organisation need of the local run. */
function demoShop(organisation: DemoOrganisation, sso: DemoSso, { url, now }: { readonly url: string; now(): number }) {
  return {
    apiUrl: url,
    orgId: organisation.org_id,
    storefrontToken: organisation.publishable_key,
    apiKey: organisation.api_key,
    officeKey: organisation.office_key,
    demoGateToken: organisation.gate_token,
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
) => Promise<{ readonly url: string; stop(): Promise<void> }>;

interface Seller {
  readonly organisation: DemoOrganisation;
  readonly sso: DemoSso;
}

/** Starts a shop for each organisation, beside the API: 3001 and 3002 next to 3000. */
export async function startDemoShops(
  startShop: StartShop,
  sellers: readonly Seller[],
  { port, ...run }: { readonly url: string; readonly port: number; now(): number },
): Promise<readonly Awaited<ReturnType<StartShop>>[]> {
  const shops: Awaited<ReturnType<StartShop>>[] = [];
  for (const [index, { organisation, sso }] of sellers.entries()) {
    const own = demoShop(organisation, sso, run);
    shops.push(await startShop({ ...own, port: port === 0 ? 0 : port + 1 + index }));
  }
  return shops;
}
