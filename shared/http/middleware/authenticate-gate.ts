import type { APIGatewayProxyEvent } from 'aws-lambda';
import { admitGate } from '../../data/auth/admit-gate.ts';
import { type PresentedKey, removeCounts } from '../../data/auth/admit-key.ts';
import { gateAuthKey } from '../../data/table/keys.ts';
import { keyRefused, limitReached } from '../auth/auth-problems.ts';
import type { Platform } from '../platform.ts';
import { getRequestContext, runInBackground } from '../request-context.ts';

/** Authenticates a gate device and counts its request. The handler decides where the device may scan (resolveGate). */
export async function authenticateGate(
  platform: Platform,
  event: APIGatewayProxyEvent,
  token: PresentedKey,
  nowMs: number,
): Promise<void> {
  const { orgId, keyId } = token;
  const table = platform.table();
  const admission = await admitGate(table, token, nowMs);
  if (admission.outcome === 'unknown' || admission.outcome === 'expired') {
    throw keyRefused(admission.outcome, 'gate token');
  }
  const context = getRequestContext(event);
  context.windows = admission.windows;
  context.caller = { kind: 'gate', orgId, keyId: `gate-${keyId}`, scopes: [], gate: admission.bounds };
  if (admission.outcome === 'exhausted') throw limitReached(admission.windows, nowMs);
  if (admission.staleCounts.length > 0) {
    runInBackground(
      event,
      'Stale rate-limit counts were not removed',
      removeCounts(table, gateAuthKey(orgId, keyId), admission.staleCounts),
    );
  }
}
