import { assertIsJwks } from 'aws-jwt-verify/jwk';
import { verifyJwtSync } from 'aws-jwt-verify/jwt-verifier';
import type { IdentityProvider } from '../../site/server/options.ts';

/** The group of the identity provider whose members may open the office. */
const staffGroup = 'staff';

export type SignIn =
  /** `operator` is what the journal says of who took money: no name, and at most 40 characters. */
  | { readonly outcome: 'staff'; readonly name: string; readonly operator: string }
  | { readonly outcome: 'not staff' }
  | { readonly outcome: 'no valid token' };

/**
 * Who signed in at the identity provider. The token comes from a browser, so nothing in it counts before its signature, issuer, audience
 * and end are verified. Fans have accounts at the same provider: a valid token alone opens nothing.
 */
export function readStaffToken(token: string, { issuer, audience, keys }: IdentityProvider): SignIn {
  try {
    const keySet = JSON.parse(keys);
    assertIsJwks(keySet);
    const { sub, exp, name, groups } = verifyJwtSync(token, keySet, { issuer, audience });
    // The library accepts a token without an end for ever.
    if (exp === undefined) return { outcome: 'no valid token' };
    if (!Array.isArray(groups) || !groups.includes(staffGroup)) return { outcome: 'not staff' };
    const operator = String(sub).slice(0, 40);
    return { outcome: 'staff', name: typeof name === 'string' ? name : operator, operator };
  } catch {
    return { outcome: 'no valid token' };
  }
}
