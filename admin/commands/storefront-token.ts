import {
  changeStorefrontToken,
  listStorefrontTokens,
  type StorefrontTokenChange,
} from '../../shared/data/admin/storefront-tokens.ts';
import type { KeyMode } from '../../shared/domain/auth/api-keys.ts';
import { parseOrigin } from '../../shared/domain/auth/storefront.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { ArgumentType } from '../arguments.ts';
import type { Context } from '../cli.ts';
import { refusal, usageError } from '../failure.ts';
import { sheetOf, tokenDocument } from '../output/storefront-token.ts';
import { withOutcome } from '../output/text.ts';

/** Changes a token. Returns it as a document and as text, and whether anything changed. */
export async function changeToken(
  { table, clock }: Pick<Context, 'table' | 'clock'>,
  id: { readonly orgId: string; readonly tokenId: string },
  change: StorefrontTokenChange,
): Promise<{ readonly document: object; readonly text: string }> {
  const before = (await listStorefrontTokens(table, id.orgId)).find(({ tokenId: each }) => each === id.tokenId);
  if (before === undefined) throw tokenMissing(id.orgId, id.tokenId);
  if (change.origins !== undefined) checkOrigins(change.origins, before.mode);
  const changed = await changeStorefrontToken(table, id, change);
  if (changed === undefined) throw tokenMissing(id.orgId, id.tokenId);
  const nowUnix = unixSeconds(clock);
  const isChanged = changed.outcome === 'changed';
  return {
    document: { ...tokenDocument(id.orgId, changed.token, nowUnix), changed: isChanged },
    text: withOutcome(sheetOf([changed.token], nowUnix), isChanged),
  };
}

export const testOrigins = 'only a test token allows http, and http://localhost:* and http://127.0.0.1:*';

export const count: ArgumentType<number> = {
  allowed: 'an integer from 1 to 10000000',
  parse: (text) => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined),
};

export const tokenIdHelp = 'The id of the token, as storefront list shows it.';
export const tokenId: ArgumentType<string> = {
  allowed: 'a token id as storefront list shows it, such as 7k2p',
  parse: (text) => (/^[0-9a-z]{1,4}$/.test(text) ? text : undefined),
};

export const tokenMissing = (orgId: string, id: string) =>
  refusal('token_missing', `${orgId} has no storefront token ${id}.`);

export function checkOrigins(origins: readonly string[], mode: KeyMode): void {
  const refused = origins.filter((origin) => parseOrigin(origin, mode) === undefined);
  if (refused.length > 0) {
    throw usageError(`A live token cannot allow ${refused.join(', ')}: ${testOrigins}.`, '--origins');
  }
}
