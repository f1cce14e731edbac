import { readFileSync } from 'node:fs';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { type SsoKeys, type SsoProvider, ssoLimits } from '../../shared/domain/sso/provider.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { keySetProblem, keyTypeOf, parseKeySet } from '../../shared/sso/key-set.ts';
import { readProviders, removeProvider, saveProvider } from '../../shared/sso/providers.ts';
import type { Command, Context } from '../command.ts';
import { alignColumns } from '../documents/text.ts';
import { refusal, usageError } from '../failure.ts';
import { fileName } from '../values/file.ts';
import { algorithmList, audienceList, httpsAddress, issuer, organisationArgument, providerId } from '../values/sso.ts';
import { organisationId } from '../values/values.ts';

function providerDocument(orgId: string, provider: SsoProvider) {
  const { keys } = provider;
  return {
    org_id: orgId,
    provider_id: provider.providerId,
    issuer: provider.issuer,
    audiences: provider.audiences,
    algorithms: provider.algorithms,
    jwks_uri: keys.kind === 'fetched' ? keys.uri : null,
    key_ids: keys.kind === 'inline' ? parseKeySet(keys.jwks).keys.map(({ kid }) => kid ?? null) : null,
    created: provider.createdUnix,
  };
}

function providerTable(providers: readonly SsoProvider[]): string {
  if (providers.length === 0) return 'No identity providers yet.';
  const rows = providers.map(({ providerId: id, issuer: name, audiences, algorithms, keys }) => [
    id,
    name,
    audiences.join(','),
    algorithms.join(','),
    keys.kind === 'fetched' ? keys.uri : 'registered here',
  ]);
  return alignColumns([['PROVIDER', 'ISSUER', 'AUDIENCES', 'ALGORITHMS', 'KEYS'], ...rows]);
}

async function add(orgId: string, provider: Omit<SsoProvider, 'createdUnix'>, context: Context): Promise<void> {
  const { table, clock, out } = context;
  if ((await readOrganisation(table, orgId)) === undefined) {
    throw refusal('organisation_missing', `There is no organisation ${orgId}.`);
  }
  const saved = await saveProvider(table, orgId, { ...provider, createdUnix: unixSeconds(clock) });
  out.show(providerDocument(orgId, saved), providerTable([saved]));
}

const noKeyFits = 'no key in it can be used with these --algorithms';

/** The public keys that the file holds, if they can be used with the algorithms. */
function inlineKeys(file: string, algorithms: SsoProvider['algorithms']): SsoKeys {
  let jwks: string;
  try {
    jwks = readFileSync(file, 'utf8');
  } catch {
    throw usageError(`${file} cannot be read.`, '--jwks');
  }
  const types = new Set<string>(algorithms.map(keyTypeOf));
  const problem =
    jwks.length > ssoLimits.jwks
      ? `it is larger than ${ssoLimits.jwks} bytes`
      : (keySetProblem(jwks) ?? (parseKeySet(jwks).keys.some(({ kty }) => types.has(kty)) ? undefined : noKeyFits));
  if (problem !== undefined) throw usageError(`${file} cannot be used: ${problem}.`, '--jwks');
  return { kind: 'inline', jwks };
}

const addCommand: Command = {
  name: 'provider add',
  summary: 'Register an identity provider, or replace the one with the same id: that is how inline keys are rotated.',
  positionals: [organisationArgument],
  options: [
    { name: 'id', value: 'ID', required: true, help: `Your own name for it: ${providerId.allowed}.` },
    { name: 'issuer', value: 'URL', required: true, help: `What its tokens say in "iss": ${issuer.allowed}.` },
    {
      name: 'audience',
      value: 'LIST',
      required: true,
      help: `Whom its tokens must be meant for: ${audienceList.allowed}.`,
    },
    { name: 'jwks', value: 'FILE', help: 'Its public keys, as a JSON Web Key Set.' },
    { name: 'jwks-uri', value: 'URL', help: `Or where they can always be fetched: ${httpsAddress.allowed}.` },
    { name: 'algorithms', value: 'LIST', help: `How it signs: ${algorithmList.allowed} (default RS256).` },
  ],
  example:
    'sso provider add org_harbourfc --id login --issuer https://login.example.com --audience fans --jwks-uri https://login.example.com/jwks.json',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    const algorithms = args.optional('algorithms', algorithmList) ?? ['RS256'];
    const file = args.optional('jwks', fileName);
    const uri = args.optional('jwks-uri', httpsAddress);
    if ((file === undefined) === (uri === undefined)) {
      throw usageError('Give --jwks or --jwks-uri, one of them: tokens are verified with these keys.', '--jwks');
    }
    const provider = {
      providerId: args.required('id', providerId),
      issuer: args.required('issuer', issuer),
      audiences: args.required('audience', audienceList),
      algorithms,
      keys: file === undefined ? { kind: 'fetched' as const, uri: uri ?? '' } : inlineKeys(file, algorithms),
    };
    return (context) => add(orgId, provider, context);
  },
};

const listCommand: Command = {
  name: 'provider list',
  summary: 'List the identity providers of an organisation.',
  positionals: [organisationArgument],
  options: [],
  example: 'sso provider list org_harbourfc',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    return async ({ table, out }) => {
      const providers = await readProviders(table, orgId);
      const data = providers.map((provider) => providerDocument(orgId, provider));
      out.show({ object: 'sso_providers', org_id: orgId, data }, providerTable(providers));
    };
  },
};

const removeCommand: Command = {
  name: 'provider remove',
  summary: 'Remove an identity provider. Its tokens are refused at the next request; links stay.',
  positionals: [organisationArgument, { name: 'provider_id', help: 'The provider, as sso provider list names it.' }],
  options: [],
  example: 'sso provider remove org_harbourfc login',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    const id = args.required('provider_id', providerId);
    return async ({ table, out }) => {
      if ((await removeProvider(table, orgId, id)) === 'missing') {
        throw refusal('provider_missing', `${orgId} has no identity provider ${id}.`);
      }
      out.show({ org_id: orgId, provider_id: id, removed: true }, `Removed ${id} from ${orgId}.`);
    };
  },
};

export const providerCommands: readonly Command[] = [addCommand, listCommand, removeCommand];
