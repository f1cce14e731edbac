import type { Command, CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings';
import { findCustomer } from '../../shared/data/customers/read.ts';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { readLinks, removeLink, saveLink } from '../../shared/data/sso/links.ts';
import { readProviders } from '../../shared/data/sso/providers.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { customerLimits } from '../../shared/domain/customers/customer.ts';
import { type SsoIdentity, ssoLimits } from '../../shared/domain/sso/provider.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { type ArgumentType, as, controlCharacters, line, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, type Context, example } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { organisationMissing, refusal } from '../failure.ts';
import { linkDocument, linkTable } from '../output/sso-link.ts';
import { withOutcome } from '../output/text.ts';
import { issuer } from './sso-provider.ts';

export function addSsoLinkCommands(sso: CommandUnknownOpts, { run }: Cli): void {
  withIdentity(
    sso
      .command('link')
      .description('Link a user of an identity provider to a customer. Linking again changes nothing.')
      .argument('<org_id>', organisationHelp, as(organisationId))
      .argument('<org_customer_id>', "The organisation's own id of the customer.", as(customerId)),
  )
    .addHelpText(
      'after',
      example('sso link org_harbourfc HC-10001 --issuer https://login.example.com --subject "auth0|5f7c8ec7"'),
    )
    .action((orgId, orgCustomerId, identity) => run((context) => link({ orgId, orgCustomerId, identity }, context)));

  withIdentity(
    withYes(sso.command('unlink'))
      .description('Remove a link. The next request of this user is refused. Repeated, it changes nothing.')
      .argument('<org_id>', organisationHelp, as(organisationId)),
  )
    .addHelpText(
      'after',
      example('sso unlink org_harbourfc --issuer https://login.example.com --subject "auth0|5f7c8ec7" --yes'),
    )
    .action((orgId, { yes, ...identity }) =>
      run(async ({ table, show }) => {
        if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
        confirm(yes, `The next request of this user of ${orgId} would be refused.`);
        const link = await removeLink(table, orgId, identity);
        const named = link === undefined ? identity : linkDocument(link);
        const text =
          link === undefined
            ? `${orgId} has no link for this user. Nothing changed.`
            : `Removed:\n${linkTable([link])}`;
        show({ org_id: orgId, ...named, removed: true, changed: link !== undefined }, text);
      }),
    );

  sso
    .command('links')
    .description('List the links of an organisation or of one customer.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .option('--customer <org_customer_id>', 'Only the links of this customer.', as(customerId))
    .addHelpText('after', example('sso links org_harbourfc --customer HC-10001'))
    .action((orgId, { customer }) =>
      run(async ({ table, show }) => {
        const userId = customer === undefined ? undefined : await userIdOf(table, orgId, customer);
        const links = await readLinks(table, orgId, userId);
        show({ object: 'sso_links', org_id: orgId, data: links.map(linkDocument) }, linkTable(links));
      }),
    );
}

const customerId = line(customerLimits.orgCustomerId);

/** Compared exactly, so nothing is trimmed. */
const subject: ArgumentType<string> = {
  allowed: `one line of 1 to ${ssoLimits.subject} characters, exactly as in the "sub" claim of its tokens`,
  parse: (text) => (text === '' || text.length > ssoLimits.subject || controlCharacters.test(text) ? undefined : text),
};

function withIdentity<Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) {
  return command
    .requiredOption('--issuer <url>', 'The identity provider, as in the "iss" claim of its tokens.', as(issuer))
    .requiredOption('--subject <text>', `The user: ${subject.allowed}.`, as(subject));
}

async function userIdOf(table: Table, orgId: string, orgCustomerId: string): Promise<number> {
  const customer = await findCustomer(table, orgId, orgCustomerId, { consistent: true });
  if (customer === undefined) throw refusal('customer_missing', `${orgId} has no customer ${orgCustomerId}.`);
  return customer.userId;
}

interface LinkRequest {
  readonly orgId: string;
  readonly orgCustomerId: string;
  readonly identity: SsoIdentity;
}

async function link({ orgId, orgCustomerId, identity }: LinkRequest, { table, clock, show }: Context): Promise<void> {
  const providers = await readProviders(table, orgId);
  if (!providers.some((provider) => provider.issuer === identity.issuer)) {
    throw refusal(
      'provider_missing',
      `${orgId} has no identity provider with the issuer ${identity.issuer}. Register it first (sso provider add ${orgId}), exactly as its tokens name it.`,
    );
  }
  const userId = await userIdOf(table, orgId, orgCustomerId);
  const { issuer: iss, subject: sub } = identity;
  const saved = await saveLink(table, orgId, { issuer: iss, subject: sub, userId, linkedUnix: unixSeconds(clock) });
  if (saved.outcome === 'linked_elsewhere') {
    throw refusal(
      'linked_elsewhere',
      `This user is linked to the customer with user_id ${saved.link.userId}. Unlink it first: sso unlink ${orgId}`,
    );
  }
  const changed = saved.outcome === 'linked';
  show({ org_id: orgId, ...linkDocument(saved.link), changed }, withOutcome(linkTable([saved.link]), changed));
}
