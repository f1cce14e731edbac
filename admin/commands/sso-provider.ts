import { readFileSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { readProviders, removeProvider, saveProvider } from '../../shared/data/sso/providers.ts';
import {
  type SsoAlgorithm,
  type SsoKeys,
  type SsoProvider,
  ssoAlgorithms,
  ssoLimits,
} from '../../shared/domain/sso/provider.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { keySetProblem, keyTypeOf, parseKeySet } from '../../shared/sso/key-set.ts';
import { type ArgumentType, as, fileName, line, organisationHelp, organisationId, parseList } from '../arguments.ts';
import { type Cli, example } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { organisationMissing, usageError } from '../failure.ts';
import { alignColumns, withOutcome } from '../output/text.ts';

export function addSsoProviderCommands(sso: CommandUnknownOpts, { run }: Cli): void {
  const group = sso.command('provider').description('Register, list and remove identity providers.');

  group
    .command('add')
    .description(
      'Register an identity provider, or replace the one with the same id, for example to rotate inline keys.',
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .requiredOption('--id <id>', `Your own id for it: ${providerId.allowed}.`, as(providerId))
    .requiredOption('--issuer <url>', `The "iss" claim of its tokens: ${issuer.allowed}.`, as(issuer))
    .requiredOption('--audience <list>', `The accepted "aud" claims: ${audienceList.allowed}.`, as(audienceList))
    .option('--jwks <file>', 'Its public keys: a file with a JSON Web Key Set.', as(fileName))
    .option('--jwks-uri <url>', `Or the address of its public keys: ${httpsAddress.allowed}.`, as(httpsAddress))
    .option(
      '--algorithms <list>',
      `Its signature algorithms: ${algorithmList.allowed} (default: RS256).`,
      as(algorithmList),
    )
    .option(
      '--trust-email',
      'Trust its "email_verified" claim: a fan with a verified address is linked to the only customer who has it. Only for a provider that verifies addresses itself.',
    )
    .addHelpText(
      'after',
      example(
        'sso provider add org_harbourfc --id login --issuer https://login.example.com --audience fans --jwks-uri https://login.example.com/jwks.json',
      ),
    )
    .action((orgId, { id, issuer: iss, audience, jwks, jwksUri, algorithms = ['RS256'], trustEmail = false }) => {
      const keys = keysOf({ jwks, jwksUri }, algorithms);
      return run(async ({ table, clock, show }) => {
        if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
        const provider = {
          providerId: id,
          issuer: iss,
          audiences: audience,
          algorithms,
          keys,
          trustsEmail: trustEmail,
        };
        const saved = await saveProvider(table, orgId, { ...provider, createdUnix: unixSeconds(clock) });
        const changed = saved.outcome === 'changed';
        show(
          { ...providerDocument(orgId, saved.provider), changed },
          withOutcome(providerTable([saved.provider]), changed),
        );
      });
    });

  group
    .command('list')
    .description('List the identity providers of an organisation.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .addHelpText('after', example('sso provider list org_harbourfc'))
    .action((orgId) =>
      run(async ({ table, show }) => {
        const providers = await readProviders(table, orgId);
        const data = providers.map((provider) => providerDocument(orgId, provider));
        show({ object: 'sso_providers', org_id: orgId, data }, providerTable(providers));
      }),
    );

  withYes(group.command('remove'))
    .description(
      'Remove an identity provider. Its tokens are refused from the next request. Links stay. Repeated, it changes nothing.',
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<provider_id>', 'The id of the provider, as sso provider list shows it.', as(providerId))
    .addHelpText('after', example('sso provider remove org_harbourfc login --yes'))
    .action((orgId, id, { yes }) =>
      run(async ({ table, show }) => {
        if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
        confirm(yes, `The fans of ${orgId} who sign in at ${id} would be refused from the next request on.`);
        const changed = (await removeProvider(table, orgId, id)) === 'removed';
        const text = changed
          ? `Removed ${id} from ${orgId}.`
          : `${orgId} has no identity provider ${id}. Nothing changed.`;
        show({ org_id: orgId, provider_id: id, removed: true, changed }, text);
      }),
    );
}

const providerId: ArgumentType<string> = {
  allowed: `1 to ${ssoLimits.providerId} lowercase letters, digits and hyphens`,
  parse: (text) => (/^[a-z0-9][a-z0-9-]*$/.test(text) && text.length <= ssoLimits.providerId ? text : undefined),
};

/** Compared exactly, so it is stored as given. */
export const issuer: ArgumentType<string> = {
  allowed: `an https address without # of at most ${ssoLimits.issuer} characters`,
  parse: (text) => (isHttps(text) && !/[#\s]/.test(text) && text.length <= ssoLimits.issuer ? text : undefined),
};

const httpsAddress: ArgumentType<string> = {
  allowed: 'an https address without user name and password',
  parse: (text) => (isHttps(text) && text.length <= 2_000 ? text : undefined),
};

function isHttps(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}

const audienceList: ArgumentType<readonly string[]> = {
  allowed: `1 to ${ssoLimits.audiences} texts, separated by commas`,
  parse(text) {
    const audiences = parseList(text, line(ssoLimits.audience).parse);
    return audiences && audiences.length <= ssoLimits.audiences ? audiences : undefined;
  },
};

const algorithmList: ArgumentType<readonly SsoAlgorithm[]> = {
  allowed: `some of ${ssoAlgorithms.join(', ')}, separated by commas`,
  parse(text) {
    const named = parseList(text, (name) => ssoAlgorithms.find((algorithm) => algorithm === name));
    return named && ssoAlgorithms.filter((algorithm) => named.includes(algorithm));
  },
};

interface KeyOptions {
  readonly jwks: string | undefined;
  readonly jwksUri: string | undefined;
}

function keysOf({ jwks, jwksUri }: KeyOptions, algorithms: readonly SsoAlgorithm[]): SsoKeys {
  if (jwks !== undefined && jwksUri === undefined) return inlineKeys(jwks, algorithms);
  if (jwks === undefined && jwksUri !== undefined) return { kind: 'fetched', uri: jwksUri };
  throw usageError('Give either --jwks or --jwks-uri: the keys that verify the tokens.', '--jwks');
}

/** The public keys in the file, if at least one of them fits one of the algorithms. */
function inlineKeys(file: string, algorithms: readonly SsoAlgorithm[]): SsoKeys {
  let jwks: string;
  try {
    jwks = readFileSync(file, 'utf8');
  } catch {
    throw usageError(`Cannot read ${file}.`, '--jwks');
  }
  const types = new Set<string>(algorithms.map(keyTypeOf));
  const hasKey = (): boolean => parseKeySet(jwks).keys.some(({ kty }) => types.has(kty));
  const problem =
    jwks.length > ssoLimits.jwks
      ? `it is larger than ${ssoLimits.jwks} bytes`
      : (keySetProblem(jwks) ?? (hasKey() ? undefined : 'none of its keys fits these --algorithms'));
  if (problem !== undefined) throw usageError(`Cannot use ${file}: ${problem}.`, '--jwks');
  return { kind: 'inline', jwks };
}

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
    trust_email: provider.trustsEmail,
    created: provider.createdUnix,
  };
}

function providerTable(providers: readonly SsoProvider[]): string {
  if (providers.length === 0) return 'No identity providers yet.';
  const rows = providers.map(({ providerId: id, issuer: name, audiences, algorithms, keys, trustsEmail }) => [
    id,
    name,
    audiences.join(','),
    algorithms.join(','),
    keys.kind === 'fetched' ? keys.uri : 'inline',
    trustsEmail ? 'trusted' : 'not trusted',
  ]);
  return alignColumns([['PROVIDER', 'ISSUER', 'AUDIENCES', 'ALGORITHMS', 'KEYS', 'EMAIL'], ...rows]);
}
