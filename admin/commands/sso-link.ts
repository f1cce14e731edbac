import { findCustomer } from '../../shared/data/customers/read.ts';
import { type CustomerRecord, customerLimits } from '../../shared/domain/customers/customer.ts';
import type { SsoIdentity, SsoLink } from '../../shared/domain/sso/provider.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { readLinks, removeLink, saveLink } from '../../shared/sso/links.ts';
import { readProviders } from '../../shared/sso/providers.ts';
import type { Arguments } from '../arguments.ts';
import type { Command, Context, Option } from '../command.ts';
import { alignColumns, showTime } from '../documents/text.ts';
import { refusal } from '../failure.ts';
import { issuer, organisationArgument, subject } from '../values/sso.ts';
import { line, organisationId } from '../values/values.ts';

/** A link as scripts see it, and as a person is shown their own. */
export function linkDocument({ issuer: name, subject: sub, userId, linkedUnix }: SsoLink) {
  return { issuer: name, subject: sub, user_id: userId, linked: linkedUnix };
}

function linkTable(links: readonly SsoLink[]): string {
  if (links.length === 0) return 'No links.';
  const rows = links.map((link) => [link.issuer, link.subject, String(link.userId), showTime(link.linkedUnix)]);
  return alignColumns([['ISSUER', 'SUBJECT', 'USER', 'LINKED'], ...rows]);
}

const identityOptions: readonly Option[] = [
  { name: 'issuer', value: 'URL', required: true, help: 'The identity provider, as its tokens name it in "iss".' },
  { name: 'subject', value: 'TEXT', required: true, help: `The user: ${subject.allowed}.` },
];
const readIdentity = (args: Arguments): SsoIdentity => ({
  issuer: args.required('issuer', issuer),
  subject: args.required('subject', subject),
});

const customerId = line(customerLimits.orgCustomerId);

async function customerOf({ table }: Context, orgId: string, orgCustomerId: string): Promise<CustomerRecord> {
  const customer = await findCustomer(table, orgId, orgCustomerId, { consistent: true });
  if (customer === undefined) throw refusal('customer_missing', `${orgId} has no customer ${orgCustomerId}.`);
  return customer;
}

async function link(orgId: string, orgCustomerId: string, identity: SsoIdentity, context: Context): Promise<void> {
  const { table, clock, out } = context;
  const providers = await readProviders(table, orgId);
  if (!providers.some((provider) => provider.issuer === identity.issuer)) {
    const advice = `Register it first (sso provider add ${orgId}), letter by letter as its tokens name it`;
    throw refusal(
      'provider_missing',
      `${orgId} has no identity provider with the issuer ${identity.issuer}. ${advice}.`,
    );
  }
  const { userId } = await customerOf(context, orgId, orgCustomerId);
  const saved = await saveLink(table, orgId, { ...identity, userId, linkedUnix: unixSeconds(clock) });
  if (saved.outcome === 'linked_elsewhere') {
    throw refusal(
      'linked_elsewhere',
      `This user is linked to the customer with user_id ${saved.link.userId}. Unlink it first: sso unlink ${orgId}`,
    );
  }
  out.show({ org_id: orgId, ...linkDocument(saved.link) }, linkTable([saved.link]));
}

const linkCommand: Command = {
  name: 'link',
  summary: 'Link a user of an identity provider to a customer. To repeat it does no harm.',
  positionals: [organisationArgument, { name: 'org_customer_id', help: "The customer, by the organisation's own id." }],
  options: identityOptions,
  example: 'sso link org_harbourfc HC-10001 --issuer https://login.example.com --subject "auth0|5f7c8ec7"',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    const orgCustomerId = args.required('org_customer_id', customerId);
    const identity = readIdentity(args);
    return (context) => link(orgId, orgCustomerId, identity, context);
  },
};

const unlinkCommand: Command = {
  name: 'unlink',
  summary: 'Take a link away. The next request of this user is refused.',
  positionals: [organisationArgument],
  options: identityOptions,
  example: 'sso unlink org_harbourfc --issuer https://login.example.com --subject "auth0|5f7c8ec7"',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    const identity = readIdentity(args);
    return async ({ table, out }) => {
      const removed = await removeLink(table, orgId, identity);
      if (removed === undefined) throw refusal('link_missing', `${orgId} has no link of this user.`);
      out.show({ org_id: orgId, ...linkDocument(removed), removed: true }, `Removed:\n${linkTable([removed])}`);
    };
  },
};

const linksCommand: Command = {
  name: 'links',
  summary: 'List who is linked, everybody or one customer.',
  positionals: [organisationArgument],
  options: [{ name: 'customer', value: 'ORG_CUSTOMER_ID', help: 'Only the links of this customer.' }],
  example: 'sso links org_harbourfc --customer HC-10001',
  prepare(args) {
    const orgId = args.required('org_id', organisationId);
    const orgCustomerId = args.optional('customer', customerId);
    return async (context) => {
      const { table, out } = context;
      const userId = orgCustomerId === undefined ? undefined : (await customerOf(context, orgId, orgCustomerId)).userId;
      const links = await readLinks(table, orgId, userId);
      out.show({ object: 'sso_links', org_id: orgId, data: links.map(linkDocument) }, linkTable(links));
    };
  },
};

export const linkCommands: readonly Command[] = [linkCommand, unlinkCommand, linksCommand];
