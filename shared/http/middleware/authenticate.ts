import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import {
  admitKey,
  inspectKey,
  type PresentedKey,
  type Recognised,
  removeCounts,
  uncount,
} from '../../data/auth/admit-key.ts';
import { authKey } from '../../data/table/keys.ts';
import type { Auth, Operation } from '../../operations/operation.ts';
import { reasonOf } from '../../platform/failure-reason.ts';
import { log } from '../../platform/log.ts';
import { gateTokenNotAllowed, keyRefused, limitReached, scopeMissing } from '../auth/auth-problems.ts';
import { malformedKey, readBearerToken } from '../auth/bearer.ts';
import { readFormToken, takeFormTokens } from '../auth/form-tokens.ts';
import { readToken, type SignedToken } from '../auth/signed-token.ts';
import { getBaseUrl, getHeaderValues } from '../headers.ts';
import type { Platform } from '../platform.ts';
import { problem } from '../problem.ts';
import { getRequestContext, runInBackground } from '../request-context.ts';
import { toProblem } from '../to-problem.ts';
import { authenticateGate } from './authenticate-gate.ts';
import { authenticateLink, takeLinkToken } from './authenticate-link.ts';
import { authenticateStorefront } from './authenticate-storefront.ts';

/** Authenticates the caller, counts the request against the limits, and checks the scope that the operation requires. */
export function authenticate(operation: Operation, platform: Platform): MiddlewareObj<APIGatewayProxyEvent> {
  const { auth } = operation;
  return {
    async before({ event }) {
      if (auth.kind === 'public') return;
      const link = takeLinkToken(operation, event);
      if (link !== undefined) return authenticateLink(platform, event, link);
      const key = readSentToken(operation, platform, event);
      if (key.kind === 'gate') {
        if (!auth.gates) throw gateTokenNotAllowed();
        return authenticateGate(platform, event, key, platform.clock.nowMs());
      }
      if (key.kind === 'pub') return authenticateStorefront(operation, platform, event, key);
      return authenticateKey(auth, platform, event, key);
    },
    /** A 401 never counts against the limits, not even one that comes later in the pipeline (the fan's SSO token is invalid). */
    async onError({ event, error }) {
      const context = getRequestContext(event);
      if (context.uncount === undefined || toProblem(error).status !== 401) return;
      try {
        context.windows = await context.uncount();
      } catch (failure) {
        log.warn('Failed to uncount a request with the response 401', reasonOf(failure));
      }
    },
  };
}

/** The key or token of the request: in the header, or in a field of a simple form. */
function readSentToken(operation: Operation, platform: Platform, event: APIGatewayProxyEvent): SignedToken {
  const formTokens = takeFormTokens(operation, event);
  getRequestContext(event).formTokens = formTokens;
  if (formTokens !== undefined) return readFormToken(formTokens, platform.signingKeys());
  const key = readToken(readBearerToken(event), platform.signingKeys());
  if (key === 'malformed') throw malformedKey();
  // A forged key ends here, without a call: it must not cost the organisation that it names anything.
  if (key === 'forged') throw keyRefused('unknown', 'API key');
  return key;
}

/**
 * Browsers send the header Origin, and everyone can read what a web page contains. An API key in a page is therefore refused
 * before it does anything. The one exception is a test key on the reference page, which the API itself serves.
 */
function refuseInBrowser(event: APIGatewayProxyEvent, { kind }: SignedToken): void {
  const origins = getHeaderValues(event, 'origin');
  if (origins.length === 0) return;
  if (kind === 'test' && origins.every((origin) => origin === new URL(getBaseUrl(event)).origin)) return;
  throw problem(
    'secret_key_in_browser',
    'This API key was sent by a web page (the request has an Origin header). Everyone can read it there: revoke it, and use a storefront token in web pages.',
    { param: 'Origin' },
  );
}

async function authenticateKey(
  auth: Exclude<Auth, { kind: 'public' }>,
  platform: Platform,
  event: APIGatewayProxyEvent,
  key: SignedToken,
): Promise<void> {
  refuseInBrowser(event, key);
  const nowMs = platform.clock.nowMs();
  const recognised =
    auth.kind === 'metered'
      ? await admitMetered(platform, event, key, nowMs)
      : await inspectUnmetered(platform, key, nowMs);
  const context = getRequestContext(event);
  context.windows = recognised.windows;
  context.caller = { kind: 'secret', orgId: key.orgId, keyId: key.keyId, scopes: recognised.scopes };
  const accepted = [auth.scope, ...(auth.orScope ? [auth.orScope] : [])];
  if (!accepted.some((scope) => recognised.scopes.includes(scope))) throw scopeMissing(accepted, recognised.scopes);
}

async function admitMetered(
  platform: Platform,
  event: APIGatewayProxyEvent,
  key: PresentedKey,
  nowMs: number,
): Promise<Recognised> {
  const table = platform.table();
  const admission = await admitKey(table, key, nowMs);
  switch (admission.outcome) {
    case 'admitted':
      getRequestContext(event).uncount = async () => (await uncount(table, key, nowMs)).windows;
      if (admission.staleCounts.length > 0) {
        runInBackground(
          event,
          'Stale rate-limit counts were not removed',
          removeCounts(table, authKey(key.orgId), admission.staleCounts),
        );
      }
      return admission;
    case 'exhausted':
      getRequestContext(event).windows = admission.windows;
      getRequestContext(event).caller = {
        kind: 'secret',
        orgId: key.orgId,
        keyId: key.keyId,
        scopes: admission.scopes,
      };
      throw limitReached(admission.windows, nowMs);
    default:
      throw keyRefused(admission.outcome, 'API key');
  }
}

async function inspectUnmetered(platform: Platform, key: PresentedKey, nowMs: number): Promise<Recognised> {
  const inspection = await inspectKey(platform.table(), key, nowMs);
  if (inspection.outcome !== 'recognised') throw keyRefused(inspection.outcome, 'API key');
  return inspection;
}
