import type { Gateline } from '../../site/server/gateline.ts';

/** How the shop's server calls the API. */
export interface Callers {
  /** With the storefront token, as every page does. */
  readonly storefront: Gateline;
  /** With the secret key. */
  readonly gateline: Gateline;
}
