import { findCustomer } from '../../shared/data/customers/read.ts';
import { customerLimits } from '../../shared/domain/customers/customer.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Command, Context, Group } from '../command.ts';
import { refusal } from '../failure.ts';
import { unlinkedMembers } from '../person/members-part.ts';
import type { Person } from '../person/part.ts';
import { personParts } from '../person/parts.ts';
import { line, organisationId } from '../values/values.ts';

interface Request {
  readonly orgId: string;
  readonly orgCustomerId: string;
}

async function personOf({ orgId, orgCustomerId }: Request, { table, clock }: Context): Promise<Person> {
  const customer = await findCustomer(table, orgId, orgCustomerId, { consistent: true });
  if (customer === undefined) {
    throw refusal('customer_missing', `${orgId} has no customer ${orgCustomerId}.`);
  }
  return { table, orgId, customer, nowUnix: unixSeconds(clock), clock };
}

async function exportPerson(request: Request, context: Context): Promise<void> {
  const person = await personOf(request, context);
  const document: Record<string, unknown> = { ...heading(request), exported_at: person.nowUnix };
  for (const part of personParts) document[part.name] = await part.collect(person);
  // A copy of somebody's data is a document, whoever reads it.
  context.out.show(document, JSON.stringify(document, null, 2));
}

async function erasePerson(request: Request, context: Context): Promise<void> {
  const person = await personOf(request, context);
  const unlinked = await unlinkedMembers(person);
  const erased: Record<string, number> = {};
  for (const part of personParts) erased[part.name] = await part.erase(person);
  const counts = Object.entries(erased).map(([name, count]) => `${name} ${count}`);
  const lines = [
    `Erased from ${request.orgCustomerId}: ${counts.join(', ')}.`,
    'Answers that are kept for the repeat of a request (Idempotency-Key) are given for a day at most, and deleted in the days after.',
  ];
  if (unlinked.length > 0) {
    lines.push(
      `Members with the same email address who are linked to nobody were left as they are: ${unlinked.join(', ')}.`,
      'If they are the same person, link them (import members with member_number and org_customer_id) and erase again.',
    );
  }
  context.out.show({ ...heading(request), erased, unlinked_members: unlinked }, lines.join('\n'));
}

function heading({ orgId, orgCustomerId }: Request): Record<string, unknown> {
  return { org_id: orgId, org_customer_id: orgCustomerId };
}

const positionals = [
  { name: 'org_id', help: 'The organisation, such as org_harbourfc.' },
  { name: 'org_customer_id', help: "The customer, by the organisation's own id." },
];

function readRequest(args: Parameters<Command['prepare']>[0]): Request {
  return {
    orgId: args.required('org_id', organisationId),
    orgCustomerId: args.required('org_customer_id', line(customerLimits.orgCustomerId)),
  };
}

const exportCommand: Command = {
  name: 'export',
  summary: 'Write everything that is held about a person, as JSON.',
  positionals,
  options: [],
  example: 'customer export org_harbourfc C-1024',
  prepare(args) {
    const request = readRequest(args);
    return (context) => exportPerson(request, context);
  },
};

const eraseCommand: Command = {
  name: 'erase',
  summary: 'Erase what identifies a person, everywhere, for good. Ids, statuses, dates and money stay.',
  positionals,
  options: [{ name: 'yes', required: true, help: 'Says that you mean it: nobody can bring the data back.' }],
  example: 'customer erase org_harbourfc C-1024 --yes',
  prepare(args) {
    const request = readRequest(args);
    return (context) => erasePerson(request, context);
  },
};

export const customerGroup: Group = {
  name: 'customer',
  summary: "A person's own data: hand it out, erase it.",
  commands: [exportCommand, eraseCommand],
};
