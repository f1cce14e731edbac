import { findCustomer, readCustomer } from '../../shared/data/customers/read.ts';
import { customerLimits } from '../../shared/domain/customers/customer.ts';
import { parseId } from '../../shared/domain/ids.ts';
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
    .argument('<customer>', customerHelp, as(customerId))
    .option('--user-id', userIdHelp)
    .addHelpText('after', example('customer export org_harbourfc C-1024'))
    .action((orgId, customer, { userId = false }) =>
      run((context) => exportPerson({ orgId, customer, userId }, context)),
    );

  group
    .command('erase')
    .description(
      'Erase what identifies a person, everywhere. This cannot be undone. Ids, statuses, dates and amounts stay.',
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<customer>', customerHelp, as(customerId))
    .option('--user-id', userIdHelp)
    .requiredOption('--yes', 'Confirms that the data is to be erased: it cannot be restored.')
    .addHelpText('after', example('customer erase org_harbourfc C-1024 --yes'))
    .action((orgId, customer, { userId = false }) =>
      run((context) => erasePerson({ orgId, customer, userId }, context)),
    );
}

const customerHelp = 'The org_customer_id; with --user-id, the user_id.';
const userIdHelp =
  '<customer> is the user_id. Nobody is looked up by both: the numbers of one may be those of the other.';
const customerId = line(customerLimits.orgCustomerId);

interface CustomerRequest {
  readonly orgId: string;
  readonly customer: string;
  /** Whether `customer` is the user_id. */
  readonly userId: boolean;
}

async function findPerson({ orgId, customer, userId }: CustomerRequest, context: Context): Promise<Person> {
  const { table, clock, requestId } = context;
  const ownId = userId ? parseId(customer) : undefined;
  const found = userId
    ? ownId && (await readCustomer(table, orgId, ownId, { consistent: true }))
    : await findCustomer(table, orgId, customer, { consistent: true });
  if (!found) {
    const named = userId ? `with the user_id ${customer}` : customer;
    throw refusal('customer_missing', `${orgId} has no customer ${named}.`);
  }
  return personOf(table, orgId, found, { clock, requestId });
}

async function exportPerson(request: CustomerRequest, context: Context): Promise<void> {
  const person = await findPerson(request, context);
  const document: Record<string, unknown> = { ...identify(person), exported_at: unixSeconds(person.clock) };
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
    `Erased from ${person.customer.orgCustomerId}: ${counts.join(', ')}.`,
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
    ...identify(person),
    erased,
    changed,
    pending_baskets: pendingIds,
    unlinked_members: unlinked,
    request_id: person.requestId,
  };
  context.show(document, lines.join('\n'));
}

function identify({ orgId, customer }: Person): Record<string, unknown> {
  return { org_id: orgId, org_customer_id: customer.orgCustomerId, user_id: customer.userId };
}
