import type { Account } from '../browser/resources.ts';

/** What the server of every example needs. Only the storefront token and the addresses reach a page. */
export interface SiteOptions {
  /** The port that is tried first; another free one is used if it is taken. */
  readonly port: number;
  readonly apiUrl: string;
  readonly orgId: string;
  /** `gl_pub_…`: for the pages. Everyone may see it. */
  readonly storefrontToken: string;
  readonly identity: IdentityProvider;
  /** The time, in milliseconds. The local run can be ahead of the machine. */
  now?(): number;
}

/** Where people sign in. A real site sends them to its identity provider with OpenID Connect and gets the token from there. */
export interface IdentityProvider {
  readonly fans: readonly Account[];
  /** Accounts in the group `staff`: their tokens have the claim `groups` with it. */
  readonly staff: readonly Account[];
  /** A signed token (JWT) for this account. */
  signIn(accountId: string): string;
  readonly issuer: string;
  readonly audience: string;
  /** The public keys as the provider publishes them (a JSON Web Key Set): the office's server verifies the tokens of staff with them. */
  readonly keys: string;
}
