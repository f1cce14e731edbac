import * as v from 'valibot';
import { googleWalletUrl } from '../platform/env.ts';
import { Fault } from '../platform/fault.ts';
import { repeatWhile } from '../platform/repeat.ts';
import type { GoogleAccount } from './google-account.ts';
import { signJwt } from './google-jwt.ts';
import type { GoogleResource } from './google-pass.ts';

/** The name of a kind in the paths of Google's API. */
export type GoogleKind = 'eventTicketClass' | 'eventTicketObject' | 'genericObject';

export interface GoogleWallet {
  /** Replaces a class or an object. `unknown`: nobody has saved it, so there is nothing to change. */
  replace(kind: GoogleKind, resource: GoogleResource): Promise<'replaced' | 'unknown'>;
}

interface Options {
  /** Where a double has both services. */
  readonly address?: string | undefined;
  /** Google allows 20 requests in a second. These are the pauses before a refused one is repeated. */
  readonly busyPausesMs?: readonly number[];
}

const tokenAddress = 'https://oauth2.googleapis.com/token';
const timeoutMs = 10_000;
const busyPauses: readonly number[] = [1_000, 2_000, 4_000, 8_000];

/** Opens Google's Wallet API as the service account. */
export async function openGoogleWallet(
  account: GoogleAccount,
  nowUnix: number,
  { address = googleWalletUrl(), busyPausesMs = busyPauses }: Options = {},
): Promise<GoogleWallet> {
  const token = await accessToken(account, nowUnix, address ? `${address}/token` : tokenAddress);
  const base = `${address ?? 'https://walletobjects.googleapis.com'}/walletobjects/v1`;
  return {
    async replace(kind, resource) {
      const send = async () => {
        const response = await fetch(`${base}/${kind}/${resource.id}`, {
          method: 'PUT',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(resource),
          signal: AbortSignal.timeout(timeoutMs),
        });
        await response.body?.cancel();
        return response;
      };
      const response = await repeatWhile(({ status }) => status === 429, send, busyPausesMs);
      if (response.ok) return 'replaced';
      if (response.status === 404) return 'unknown';
      if (response.status === 401) kept = undefined;
      throw new Fault(`Google answered ${response.status} to a change of a pass (${kind}).`);
    },
  };
}

const Token = v.object({ access_token: v.string(), expires_in: v.number() });

let kept: { readonly key: string; readonly token: string; readonly endsUnix: number } | undefined;

/** A token is valid for an hour. An instance uses it until a minute before its end. */
async function accessToken(account: GoogleAccount, nowUnix: number, address: string): Promise<string> {
  if (kept?.key === account.private_key && nowUnix < kept.endsUnix) return kept.token;
  const claims = {
    iss: account.client_email,
    scope: 'https://www.googleapis.com/auth/wallet_object.issuer',
    aud: tokenAddress,
    iat: nowUnix,
    exp: nowUnix + 3_600,
  };
  const response = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: signJwt(account, claims),
    }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Fault(`Google answered ${response.status} to the service account, and gave it no token.`);
  const { access_token, expires_in } = v.parse(Token, await response.json());
  kept = { key: account.private_key, token: access_token, endsUnix: nowUnix + expires_in - 60 };
  return access_token;
}
