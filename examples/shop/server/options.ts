import type { SiteOptions } from '../../site/server/options.ts';

/** What the shop's server needs beside what every site does. */
export interface ShopOptions extends SiteOptions {
  /** `gl_test_…`: a secret. It never leaves this server. */
  readonly apiKey: string;
  /** Only on a demo: a gate token that the gate page offers to everyone. */
  readonly demoGateToken?: string;
  /** What visitors read first. */
  readonly welcome?: string;
  /** What a buyer accepts with the payment, a paragraph each. */
  readonly terms?: readonly string[];
  /** Where staff find the office. Without it, no page leads there. */
  readonly officeUrl?: string;
}
