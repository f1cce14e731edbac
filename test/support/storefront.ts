import {
  issueStorefrontToken,
  type StorefrontTokenFields,
  type StorefrontTokenRecord,
} from '../../shared/data/admin/storefront-tokens.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { defaultStorefrontLimits } from '../../shared/domain/auth/storefront.ts';
import { makeStorefrontToken } from './signing-key.ts';

export const shopOrigin = 'https://shop.example.com';

/** A storefront token, as the CLI issues it. */
export function givenStorefrontToken(
  table: Table,
  orgId: string,
  changes: Partial<StorefrontTokenFields> & { readonly nowUnix?: number } = {},
): Promise<StorefrontTokenRecord> {
  const fields = { label: null, mode: 'test', origins: [shopOrigin], ...defaultStorefrontLimits } as const;
  return issueStorefrontToken(table, { orgId, nowUnix: 1_700_000_000, ...fields, ...changes }, makeStorefrontToken);
}
