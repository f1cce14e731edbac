import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { admit, giveBack, inspect, type PresentedKey, type Recognised, removeCounts } from '../data/door.ts';
import { blockingWindow, secondsUntilReset, type WindowState } from '../domain/rate-windows.ts';
import type { Scope } from '../domain/scopes.ts';
import type { Operation } from '../operations/operation.ts';
import { reasonOf } from '../platform/failure-reason.ts';
import { Fault } from '../platform/fault.ts';
import { log } from '../platform/log.ts';
import { parseKey } from './api-key.ts';
import { asProblem } from './as-problem.ts';
import { headerOf } from './headers.ts';
import type { Platform } from './platform.ts';
import { type Problem, problem } from './problem.ts';
import { walkOf } from './walk.ts';

/** The first room: who is it, are they still welcome, and may they do this. */
export function door(operation: Operation, platform: Platform): MiddlewareObj<APIGatewayProxyEvent> {
  const { door: own } = operation;
  return {
    async before({ event }) {
      if (own.kind === 'open') return;
      const key = presentedKey(event);
      const nowMs = platform.clock.nowMs();
      const recognised =
        own.kind === 'counted' ? await enter(platform, event, key, nowMs) : await look(platform, key, nowMs);
      const walk = walkOf(event);
      walk.windows = recognised.windows;
      walk.caller = { orgId: key.orgId, keyId: key.keyId, scopes: recognised.scopes };
      if (!recognised.scopes.includes(own.scope)) throw scopeMissing(own.scope, recognised.scopes);
    },
    /** A 401 consumes nothing, also when it is said behind the door: of a fan's token, not of the key. */
    async onError({ event, error }) {
      const walk = walkOf(event);
      if (walk.giveBack === undefined || asProblem(error).status !== 401) return;
      try {
        walk.windows = await walk.giveBack();
      } catch (failure) {
        log.warn('A request that may not count was counted', reasonOf(failure));
      }
    },
  };
}

async function enter(
  platform: Platform,
  event: APIGatewayProxyEvent,
  key: PresentedKey,
  nowMs: number,
): Promise<Recognised> {
  const table = platform.table();
  const admission = await admit(table, key, nowMs);
  switch (admission.outcome) {
    case 'admitted':
      walkOf(event).giveBack = async () => (await giveBack(table, key, nowMs)).windows;
      if (admission.staleCounts.length > 0) {
        const sweep = removeCounts(table, key.orgId, admission.staleCounts);
        walkOf(event).errands.push(
          sweep.catch((error: unknown) => log.warn('Stale counts were left', { reason: String(error) })),
        );
      }
      return admission;
    case 'exhausted':
      walkOf(event).windows = admission.windows;
      walkOf(event).caller = { orgId: key.orgId, keyId: key.keyId, scopes: admission.scopes };
      throw limitReached(admission.windows, nowMs);
    default:
      throw refused(admission.outcome);
  }
}

async function look(platform: Platform, key: PresentedKey, nowMs: number): Promise<Recognised> {
  const inspection = await inspect(platform.table(), key, nowMs);
  if (inspection.outcome !== 'recognised') throw refused(inspection.outcome);
  return inspection;
}

function presentedKey(event: APIGatewayProxyEvent): PresentedKey {
  const header = headerOf(event, 'authorization');
  if (header === undefined) {
    throw problem('api_key_missing', 'Send your API key in the header Authorization, as: Bearer <API_KEY>.');
  }
  const [, text = ''] = /^Bearer +(\S+) *$/i.exec(header) ?? [];
  const key = parseKey(text);
  if (key === undefined || authorizations(event) > 1) {
    throw problem(
      'api_key_malformed',
      'The header Authorization does not hold an API key of this service. It should read: Bearer gl_live_… or Bearer gl_test_…, copied whole.',
    );
  }
  return key;
}

/** Of two keys nobody can say which one is meant. */
function authorizations({ multiValueHeaders }: APIGatewayProxyEvent): number {
  return Object.entries(multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, values]) => values ?? []).length;
}

function refused(outcome: 'unknown' | 'expired'): Problem {
  return outcome === 'expired'
    ? problem('api_key_expired', 'This API key has expired. Use a newer key of your organisation.')
    : problem('api_key_invalid', 'This API key is unknown or was revoked. Use another key of your organisation.');
}

const windowWords: Readonly<Record<WindowState['name'], string>> = {
  key_minute: 'requests per minute with this key',
  key_day: 'requests per day with this key',
  organisation_day: 'requests per day with all keys of the organisation together',
};

function limitReached(windows: readonly WindowState[], nowMs: number): Problem {
  const full = blockingWindow(windows);
  if (full === undefined) throw new Fault('The door refused a request although every window has room.');
  const seconds = secondsUntilReset(full, nowMs);
  const message = `The limit of ${full.limit} ${windowWords[full.name]} is reached (window ${full.name}). Try again in ${seconds} s.`;
  return problem('rate_limit_exceeded', message, { retryAfterSeconds: seconds });
}

function scopeMissing(needed: Scope, held: readonly Scope[]): Problem {
  return problem(
    'scope_missing',
    `This operation needs a key with the scope ${needed}; this key holds: ${held.join(', ')}.`,
  );
}
