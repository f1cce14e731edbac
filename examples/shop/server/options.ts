/** What the shop's server needs. Only the storefront token and the addresses reach a page. */
export interface ShopOptions {
  /** The port that is tried first; another free one is used if it is taken. */
  readonly port: number;
  readonly apiUrl: string;
  readonly orgId: string;
  /** `gl_pub_…`: for the pages. Everyone may see it. */
  readonly storefrontToken: string;
  /** `gl_test_…`: a secret. It never leaves this server. */
  readonly apiKey: string;
  readonly identity: IdentityProvider;
  /** Only on a demo: a gate token that the gate page offers to everyone. */
  readonly demoGateToken?: string;
  /** The time, in milliseconds. The local run can be ahead of the machine. */
  now?(): number;
}

/** Where fans sign in. A real site sends them to its identity provider with OpenID Connect and gets the token from there. */
export interface IdentityProvider {
  readonly fans: readonly { readonly id: string; readonly name: string; readonly note: string }[];
  /** A signed token (JWT) for this fan. */
  signIn(fanId: string): string;
}
