import type { Gateline } from '../gateline.ts';
import type { Plan } from './planned.ts';

export interface Suppressed {
  readonly address: string;
  readonly reason: 'bounced' | 'complained';
  /** ISO time. */
  readonly at: string;
}

interface Customer {
  readonly org_customer_id: string;
  readonly email_address: string | null;
}

interface Page {
  readonly data: readonly Customer[];
  readonly has_more: boolean;
}

/**
 * Says in the metadata of the customers of an address, of whom a family has several, that it gets no mail any more: `email_bounced` or
 * `email_complained` with the time. Whoever was erased meanwhile has no address, so nothing is written then. Repeated, it changes nothing.
 */
export const markCustomer: Plan<Suppressed> = async ({ data: { address, reason, at } }, { gateline }) => {
  for (const { org_customer_id } of await customersOf(gateline, address)) {
    const path = `/v1/customers/${encodeURIComponent(org_customer_id)}/metadata`;
    await gateline.change('PUT', path, { metadata: { [`email_${reason}`]: at } });
  }
  return [];
};

const plain = (address: string | null): string => (address ?? '').trim().toLowerCase();

/** The search finds words that begin so, which can be a longer address, too. */
async function customersOf(gateline: Gateline, address: string): Promise<readonly Customer[]> {
  const found: Customer[] = [];
  let page: Page = { data: [], has_more: true };
  for (let number = 1; page.has_more; number += 1) {
    const path = `/v1/customers?search=${encodeURIComponent(plain(address))}&limit=100&page_number=${number}`;
    page = await gateline.get<Page>(path);
    found.push(...page.data.filter(({ email_address }) => plain(email_address) === plain(address)));
  }
  return found;
}
