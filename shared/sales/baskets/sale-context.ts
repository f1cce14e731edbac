import type { Table } from '../../data/table/table.ts';
import type { SsoLink } from '../../domain/sso/provider.ts';
import type { Clock } from '../../platform/clock.ts';

/** For whom something is sold. */
export interface SaleContext {
  readonly table: Table;
  readonly orgId: string;
  readonly clock: Clock;
  /** Whether a page asks, not the organisation's server. To a page, what is not in the catalogue looks like a missing one. */
  readonly isPublic: boolean;
  /** Proves who is signed in, and finds the customer of the fan. Undefined if the request has no token. */
  readonly findFan?: (() => Promise<SsoLink | undefined>) | undefined;
}
