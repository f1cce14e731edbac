import * as v from 'valibot';

const Claims = v.object({ iss: v.string(), sub: v.string() });

/**
 * Whom the token of a fan claims to be, for comparisons only: nothing is verified here. A token that was renewed is of the same fan; a text
 * that is no token stands for itself.
 */
export function claimedFan(token: string): string {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const { iss, sub } = v.parse(Claims, JSON.parse(payload));
    return JSON.stringify([iss, sub]);
  } catch {
    return token;
  }
}
