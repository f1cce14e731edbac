import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writePrivateFile } from '../../local/run/private-file.ts';
import { issueKey } from '../../shared/data/admin/api-keys/api-keys.ts';
import type { Scope } from '../../shared/domain/auth/scopes.ts';
import { keyMaker } from '../../shared/http/auth/sign-token.ts';
import { retrieveRateLimit } from '../../shared/operations/rate-limit/retrieve-rate-limit.ts';
import { operations } from '../../shared/operations/registry.ts';
import { connect } from '../connection.ts';
import { refusal } from '../failure.ts';
import { keyScopes, type Profile, type ProfileName, profiles, withheldScopes } from './profiles.ts';
import { type ApiAnswer, requestOf, send } from './request.ts';
import type { Stage } from './stage.ts';

export interface AgentKey {
  readonly text: string;
  readonly orgId: string;
}

interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly localFolder: string;
}

/** The key of the server: the given one, or on the local run one of its own that is issued when it is missing. */
export async function agentKey(stage: Stage, name: ProfileName, surroundings: Surroundings): Promise<AgentKey> {
  const profile = profiles[name];
  // An empty variable counts as unset, because scripts often pass unset variables on as empty ones.
  const given = surroundings.environment.GATELINE_AGENT_KEY;
  if (given) return checkedKey(stage, given, profile);
  if (stage.name !== 'local') {
    throw refusal(
      'key_missing',
      `Set GATELINE_AGENT_KEY. To issue the key: npm run admin -- key issue <org_id> --scopes ${keyScopes(profile).join(',')} --label assistant --stage ${stage.name}`,
    );
  }
  const file = join(surroundings.localFolder, 'agents', `${name}-key.json`);
  const kept = readKept(file);
  const usable = kept === undefined ? undefined : await checkedKey(stage, kept, profile).catch(() => undefined);
  if (usable !== undefined) return usable;
  const text = await issueLocalKey(name, surroundings);
  writePrivateFile(file, { api_key: text });
  return checkedKey(stage, text, profile);
}

const KeptKey = v.object({ api_key: v.string() });

function readKept(file: string): string | undefined {
  try {
    return v.parse(KeptKey, JSON.parse(readFileSync(file, 'utf8'))).api_key;
  } catch {
    return undefined;
  }
}

const RunFile = v.object({ organisations: v.tupleWithRest([v.object({ org_id: v.string() })], v.unknown()) });

async function issueLocalKey(name: ProfileName, { environment, localFolder }: Surroundings): Promise<string> {
  const run = v.parse(RunFile, JSON.parse(readFileSync(join(localFolder, 'run.json'), 'utf8')));
  const orgId = run.organisations[0].org_id;
  const localFile = join(localFolder, 'admin.json');
  const { table, signer, aheadMs } = await connect({ local: true }, { environment, localFile });
  try {
    const request = { orgId, scopes: keyScopes(profiles[name]), label: `assistant ${name}`, expiresUnix: null };
    const nowMs = Date.now() + aheadMs;
    const issued = await issueKey(table, { ...request, mode: 'test', nowMs }, keyMaker(await signer()));
    if (issued.outcome === 'issued') return issued.text;
    throw refusal(issued.outcome, `${orgId} can have no more keys. Revoke one: npm run admin -- key list ${orgId}`);
  } finally {
    table.client.destroy();
  }
}

const OfKey = v.object({ org_id: v.string() });

/** A key has every scope that the profile needs, and none that reaches what cannot be undone. */
async function checkedKey(stage: Stage, text: string, profile: Profile): Promise<AgentKey> {
  const answer = await send(stage.address, requestOf(retrieveRateLimit, {}), text);
  if (answer.status === 401)
    throw refusal('key_refused', `The stage ${stage.name} does not accept the key of the server.`);
  const granted = await grantedScopes(stage, text, [...keyScopes(profile), ...withheldScopes]);
  const missing = keyScopes(profile).filter((scope) => !granted.includes(scope));
  if (missing.length > 0) {
    throw refusal(
      'scope_missing',
      `The key of the server lacks the scope ${missing.join(', ')}. Issue one with --scopes ${keyScopes(profile).join(',')}.`,
    );
  }
  const excess = withheldScopes.filter((scope) => granted.includes(scope));
  if (excess.length > 0) {
    throw refusal(
      'scope_excess',
      `The key of the server has the scope ${excess.join(', ')}, which reaches what cannot be undone. Issue one with --scopes ${keyScopes(profile).join(',')}.`,
    );
  }
  return { text, orgId: v.parse(OfKey, answer.body).org_id };
}

/**
 * No operation lists the scopes of a key. A request with a parameter that does not exist is a 403 without the scope and a 400
 * with it, and changes nothing either way.
 */
async function grantedScopes(stage: Stage, key: string, asked: readonly Scope[]): Promise<Scope[]> {
  const answers = await Promise.all(asked.map((scope) => send(stage.address, probeOf(scope), key)));
  return asked.filter((_, index) => isGranted(answers[index]));
}

function probeOf(scope: Scope) {
  const probed = operations.find(({ auth }) => auth.kind === 'metered' && auth.scope === scope && !auth.orScope);
  if (probed === undefined) throw new Error(`No operation needs the scope ${scope} alone.`);
  const path = probed.paths[0].replaceAll(/\{\w+\}/g, '0');
  return { method: probed.method, path: `${path}?no_such_parameter=1`, body: undefined };
}

function isGranted(answer: ApiAnswer | undefined): boolean {
  if (answer?.status === 400) return true;
  if (answer?.status === 403) return false;
  throw refusal(
    'scopes_unknown',
    `The scopes of the key are not known: the stage answered ${answer?.status}. Try again.`,
  );
}
