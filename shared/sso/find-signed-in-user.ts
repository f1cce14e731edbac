import { findLink } from '../data/sso/links.ts';
import { readProviders } from '../data/sso/providers.ts';
import type { Table } from '../data/table/table.ts';
import type { SsoLink, SsoProvider, SsoUser } from '../domain/sso/provider.ts';
import { KeySetCache, KeysUnavailable } from './key-set-cache.ts';
import { decodeToken, isValidToken, type UnverifiedToken } from './token.ts';

export type SignedIn =
  | { readonly outcome: 'linked'; readonly user: SsoUser; readonly userId: number; readonly link: SsoLink }
  /** The token is valid, but its identity is not linked to a customer. */
  | { readonly outcome: 'not_linked'; readonly user: SsoUser }
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
        return signedIn(read, provider, link);
      }
    } catch (error) {
      if (!(error instanceof KeysUnavailable)) throw error;
      isProviderUnavailable = true;
    }
  }
  return { outcome: isProviderUnavailable ? 'provider_unavailable' : 'invalid' };
}

function signedIn(
  { identity, verifiedEmail }: UnverifiedToken,
  { providerId, trustsEmail }: SsoProvider,
  link: SsoLink | undefined,
): SignedIn {
  const user = { ...identity, providerId, verifiedEmail: trustsEmail ? verifiedEmail : null };
  return link === undefined ? { outcome: 'not_linked', user } : { outcome: 'linked', user, userId: link.userId, link };
}
