import { sign } from 'node:crypto';
import type { GoogleAccount } from './google-account.ts';

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A JWT of the service account, signed with RS256. */
export function signJwt({ private_key }: GoogleAccount, claims: object): string {
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claims].map(encoded).join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), private_key).toString('base64url')}`;
}
