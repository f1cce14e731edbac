import type { SiteOptions } from '../../site/server/options.ts';

/** What the office's server needs beside what every site does. */
export interface OfficeOptions extends SiteOptions {
  /** `gl_test_…`: a secret with the scopes `read`, `catalogue:write`, `orders:write`, `baskets:write`, `counter` and `finance`. It never leaves this server. */
  readonly officeKey: string;
  /** Where fans find the shop: staff send them links to its pages. Without it, on the same site. */
  readonly shopUrl?: string;
}
