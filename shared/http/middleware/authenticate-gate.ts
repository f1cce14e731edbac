import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type PresentedKey, removeCounts } from '../../data/auth/admit.ts';
import { admitGate } from '../../data/auth/admit-gate.ts';
import { gateDoorKey } from '../../data/table/keys.ts';
import { limitReached, notWelcome } from '../auth/auth-problems.ts';
import type { Platform } from '../platform.ts';
import { runBeside, walkOf } from '../request-context.ts';

/** The door for gate devices: who is it, and is there room in its minute. Where it may scan is the desk's to judge. */
export async function enterAtGate(
  platform: Platform,
  event: APIGatewayProxyEvent,
  token: PresentedKey,
  nowMs: number,
): Promise<void> {
  const { orgId, keyId } = token;
  const table = platform.table();
  const admission = await admitGate(table, token, nowMs);
  if (admission.outcome === 'unknown' || admission.outcome === 'expired') {
    throw notWelcome(admission.outcome, 'gate token');
  }
  const walk = walkOf(event);
  walk.windows = admission.windows;
  walk.caller = { orgId, keyId: `gate-${keyId}`, scopes: [], gate: admission.bounds };
  if (admission.outcome === 'exhausted') throw limitReached(admission.windows, nowMs);
  if (admission.staleCounts.length > 0) {
    runBeside(event, 'Stale counts were left', removeCounts(table, gateDoorKey(orgId, keyId), admission.staleCounts));
  }
}
