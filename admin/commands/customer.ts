import { findCustomer } from '../../shared/data/customers/read.ts';
import { customerLimits } from '../../shared/domain/customers/customer.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { as, line, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { refusal } from '../failure.ts';
import { noProgress, showProgress } from '../output/progress.ts';
import { pendingBaskets } from '../person/baskets.ts';
import { unlinkedMembers } from '../person/members.ts';
import { type Person, personOf } from '../person/section.ts';
import { personSections } from '../person/sections.ts';

export function addCustomerCommands(program: Program, { run }: Cli): void {
  const group = program.command('customer').description("Export or erase a person's data.");

  group
    .command('export')
    .description('Print everything that is stored about a person, as JSON.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<org_customer_id>', customerHelp, as(customerId))
    .addHelpText('after', example('customer export org_harbourfc C-1024'))
    .action((orgId, orgCustomerId) => run((context) => exportPerson({ orgId, orgCustomerId }, context)));

  group
    .command('erase')
    .description(
      'Erase what identifies a person, everywhere. This cannot be undone. Ids, statuses, dates and amounts stay.',
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<org_customer_id>', customerHelp, as(customerId))
    .requiredOption('--yes', 'Confirms that the data is to be erased: it cannot be restored.')
    .addHelpText('after', example('customer erase org_harbourfc C-1024 --yes'))
    .action((orgId, orgCustomerId) => run((context) => erasePerson({ orgId, orgCustomerId }, context)));
}

const customerHelp = "The organisation's own id of the customer.";
const customerId = line(customerLimits.orgCustomerId);

interface CustomerRequest {
  readonly orgId: string;
  readonly orgCustomerId: string;
}

async function findPerson(
  { orgId, orgCustomerId }: CustomerRequest,
  { table, clock, requestId }: Context,
): Promise<Person> {
  const customer = await findCustomer(table, orgId, orgCustomerId, { consistent: true });
  if (customer === undefined) throw refusal('customer_missing', `${orgId} has no customer ${orgCustomerId}.`);
  return personOf(table, orgId, customer, { nowUnix: unixSeconds(clock), clock, requestId });
}

async function exportPerson(request: CustomerRequest, context: Context): Promise<void> {
  const person = await findPerson(request, context);
  const document: Record<string, unknown> = { ...identify(request), exported_at: person.nowUnix };
  for (const section of personSections) document[section.name] = await section.collect(person);
  context.show(document, JSON.stringify(document, null, 2));
}

async function erasePerson(request: CustomerRequest, context: Context): Promise<void> {
  const person = await findPerson(request, context);
  const unlinked = await unlinkedMembers(person);
  const pending = await pendingBaskets(person);
  const erased: Record<string, number> = {};
  const progress = context.isJson
    ? noProgress
    : showProgress(context.streams.stderr, { stepsPerLine: 1, showsRate: false });
  try {
    for (const [index, { name, erase }] of personSections.entries()) {
      const count = await erase(person);
      erased[name] = count;
      const share = (index + 1) / personSections.length;
      progress.update(`${name}: ${count} erased`, { count: index + 1, share });
    }
  } finally {
    progress.end();
  }
  const counts = Object.entries(erased).map(([name, count]) => `${name} ${count}`);
  const changed = Object.values(erased).some((count) => count > 0);
  const lines = [
    `Erased from ${request.orgCustomerId}: ${counts.join(', ')}.`,
    ...(changed ? [] : ['No personal data was left. Nothing changed.']),
  ];
  for (const { basketId, status } of pending) {
    lines.push(
      status === 'open'
        ? `The open basket ${basketId} was cancelled.`
        : `The payment of basket ${basketId} was pending. If it is made, its order will not contain the person's data.`,
    );
  }
  if (unlinked.length > 0) {
    lines.push(
      `Members with the same email address that are linked to no customer were not changed: ${unlinked.join(', ')}.`,
      'If they are the same person, link them (import members with member_number and org_customer_id) and erase again.',
    );
  }
  const pendingIds = pending.map(({ basketId }) => basketId);
  const document = {
    ...identify(request),
    erased,
    changed,
    pending_baskets: pendingIds,
    unlinked_members: unlinked,
    request_id: person.requestId,
  };
  context.show(document, lines.join('\n'));
}

function identify({ orgId, orgCustomerId }: CustomerRequest): Record<string, unknown> {
  return { org_id: orgId, org_customer_id: orgCustomerId };
}
