import type { Table } from '../data/table/table.ts';
import { KeySetCache, KeysUnavailable } from './key-set-cache.ts';
import { findLink } from './links.ts';
import { readProviders } from './providers.ts';
import { decodeToken, isValidToken } from './token.ts';

export type SignedIn =
  | { readonly outcome: 'linked'; readonly userId: number }
  /** The token is valid, but its identity is not linked to a customer. */
  | { readonly outcome: 'not_linked' }
  | { readonly outcome: 'invalid' }
  /** The keys of the identity provider cannot be fetched. */
  | { readonly outcome: 'provider_unavailable' };

export interface PresentedToken {
  readonly orgId: string;
  readonly token: string;
  readonly nowMs: number;
}

const instanceKeySets = new KeySetCache();

/**
 * Finds the user of a token by the providers and links of this organisation only. Providers of other organisations do not
 * count, even with the same issuer. The link is read at the same time as the providers, and used only if the token is valid.
 */
export async function findSignedInUser(
  table: Table,
  { orgId, token, nowMs }: PresentedToken,
  keySets: KeySetCache = instanceKeySets,
): Promise<SignedIn> {
  const read = decodeToken(token);
  if (read === undefined) return { outcome: 'invalid' };
  const [providers, link] = await Promise.all([readProviders(table, orgId), findLink(table, orgId, read.identity)]);
  let isProviderUnavailable = false;
  for (const provider of providers.filter(({ issuer }) => issuer === read.identity.issuer)) {
    try {
      if (await isValidToken(read, provider, { keySets, nowMs })) {
        return link === undefined ? { outcome: 'not_linked' } : { outcome: 'linked', userId: link.userId };
      }
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) throw error;
      isProviderUnavailable = true;
    }
  }
  return { outcome: isProviderUnavailable ? 'provider_unavailable' : 'invalid' };
}
