import { type Erasure, erasuresOf } from '../../shared/data/admin/erasures.ts';
import { customersWithEmail } from '../../shared/data/customers/by-email.ts';
import { findCustomer, readCustomer } from '../../shared/data/customers/read.ts';
import { nextOrganisation } from '../../shared/data/organisations/directory.ts';
import { customerLimits } from '../../shared/domain/customers/customer.ts';
import { parseId } from '../../shared/domain/ids.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { as, line, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { refusal } from '../failure.ts';
import { noProgress, showProgress } from '../output/progress.ts';
import { pendingBaskets } from '../person/baskets.ts';
import { erasePerson } from '../person/erase.ts';
import { unlinkedMembers } from '../person/members.ts';
import { openPlan, openPlans, refundedPlan, refundedPlans } from '../person/payment-plans.ts';
import { addressPerson, isCustomer, type Person, personOf } from '../person/section.ts';
import { personSections } from '../person/sections.ts';

export function addCustomerCommands(program: Program, { run }: Cli): void {
  const group = program.command('customer').description("Export or erase a person's data.");

  group
    .command('export')
    .description('Print everything that is stored about a person, as JSON.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<customer>', customerHelp, as(customerId))
    .option('--user-id', userIdHelp)
    .option('--email', emailHelp)
    .addHelpText('after', example('customer export org_harbourfc C-1024'))
    .action((orgId, customer, { userId = false, email = false }) =>
      run((context) => exportPerson({ orgId, customer, userId, email }, context)),
    );

  group
    .command('erase')
    .description(
      'Erase what identifies a person, everywhere. This cannot be undone. Ids, statuses, dates and amounts stay.',
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<customer>', customerHelp, as(customerId))
    .option('--user-id', userIdHelp)
    .option('--email', emailHelp)
    .requiredOption('--yes', 'Confirms that the data is to be erased: it cannot be restored.')
    .addHelpText('after', example('customer erase org_harbourfc C-1024 --yes'))
    .action((orgId, customer, { userId = false, email = false }) =>
      run((context) => eraseAndReport({ orgId, customer, userId, email }, context)),
    );

  group
    .command('erasures')
    .description(
      'Print whom operators have erased, one JSON document in a line, by id or hash. npm run restore reads it.',
    )
    .addHelpText('after', example('customer erasures --stage prod'))
    .action(() => run(listErasures));
}

const customerHelp = 'The org_customer_id; with --user-id, the user_id.';
const userIdHelp =
  '<customer> is the user_id. Nobody is looked up by both: the numbers of one may be those of the other.';
const emailHelp =
  '<customer> is the email address of somebody who is no customer, such as the recipient of an offered ticket.';
const customerId = line(customerLimits.orgCustomerId);

interface CustomerRequest {
  readonly orgId: string;
  readonly customer: string;
  /** Whether `customer` is the user_id. */
  readonly userId: boolean;
  /** Whether `customer` is an email address that no customer has. */
  readonly email: boolean;
}

async function findPerson({ orgId, customer, userId, email }: CustomerRequest, context: Context): Promise<Person> {
  const { table, clock, requestId } = context;
  if (email) return findByAddress(orgId, customer, context);
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

/** What an address leads to is the customer's, if a customer has it. */
async function findByAddress(
  orgId: string,
  emailAddress: string,
  { table, clock, requestId }: Context,
): Promise<Person> {
  for await (const { orgCustomerId } of customersWithEmail(table, orgId, emailAddress)) {
    throw refusal('customer_exists', `The customer ${orgCustomerId} has this address. Name the customer.`);
  }
  return addressPerson(table, orgId, emailAddress, { clock, requestId });
}

async function listErasures({ table, show }: Context): Promise<void> {
  const erasures: Erasure[] = [];
  for (
    let orgId = await nextOrganisation(table, '');
    orgId !== undefined;
    orgId = await nextOrganisation(table, orgId)
  ) {
    erasures.push(...(await erasuresOf(table, orgId)));
  }
  show({ erasures }, erasures.map((erasure) => JSON.stringify(erasure)).join('\n'));
}

async function exportPerson(request: CustomerRequest, context: Context): Promise<void> {
  const person = await findPerson(request, context);
  const document: Record<string, unknown> = { ...identify(person), exported_at: unixSeconds(person.clock) };
  for (const section of personSections(person)) document[section.name] = await section.collect(person);
  context.show(document, JSON.stringify(document, null, 2));
}

async function eraseAndReport(request: CustomerRequest, context: Context): Promise<void> {
  const person = await findPerson(request, context);
  const unlinked = await unlinkedMembers(person);
  const pending = await pendingBaskets(person);
  const owed = isCustomer(person) ? await openPlans(person) : [];
  const refunded = isCustomer(person) ? await refundedPlans(person) : [];
  const progress = context.isJson
    ? noProgress
    : showProgress(context.streams.stderr, { stepsPerLine: 1, showsRate: false });
  const sections = personSections(person).length;
  let done = 0;
  const erased = await erasePerson(person, (name, count) => {
    done += 1;
    progress.update(`${name}: ${count} erased`, { count: done, share: done / sections });
  }).finally(() => progress.end());
  const counts = Object.entries(erased).map(([name, count]) => `${name} ${count}`);
  const changed = Object.values(erased).some((count) => count > 0);
  const lines = [
    `Erased from ${isCustomer(person) ? person.customer.orgCustomerId : 'the address'}: ${counts.join(', ')}.`,
    ...(changed ? [] : ['No personal data was left. Nothing changed.']),
  ];
  const left = owed.length === 0 ? [] : await openPlans(person);
  const open = [...owed.map((plan) => openPlan(plan, left)), ...refunded.map(refundedPlan)];
  lines.push(...open.map(({ line }) => line));
  for (const { basketId, status, checkout } of pending) {
    const owes = checkout?.plan?.lines.length ? ' What is to be paid later is open then: erase again.' : '';
    lines.push(
      status === 'open'
        ? `The open basket ${basketId} was cancelled.`
        : `The payment of basket ${basketId} was pending. If it is made, its order will not contain the person's data.${owes}`,
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
    open_plans: open.map(({ document }) => document),
    pending_baskets: pendingIds,
    unlinked_members: unlinked,
    request_id: person.requestId,
  };
  context.show(document, lines.join('\n'));
}

function identify(person: Person): Record<string, unknown> {
  const { orgId, customer } = person;
  if (!isCustomer(person)) return { org_id: orgId, email_address: customer.emailAddress };
  return { org_id: orgId, org_customer_id: customer.orgCustomerId, user_id: customer.userId };
}
