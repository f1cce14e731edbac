import { randomBytes } from 'node:crypto';
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { changeRequestLimits, readRequestLimits } from '../../shared/data/admin/request-limits.ts';
import type { RequestLimits } from '../../shared/data/auth/auth-item.ts';
import {
  createOrganisation,
  linkKeyVersionOf,
  type OrganisationChange,
  readOrganisation,
  updateOrganisation,
} from '../../shared/data/organisations/organisation.ts';
import { defaultLocale } from '../../shared/domain/organisations/locale.ts';
import { organisationResource } from '../../shared/mappers/organisation.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import {
  type ArgumentType,
  as,
  clearable,
  colour,
  country,
  line,
  locale,
  organisationHelp,
  organisationId,
  timezone,
} from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { organisationMissing, refusal, usageError } from '../failure.ts';
import { alignColumns, orDash, showTime, withOutcome } from '../output/text.ts';
import { addOrgReceipts } from './org-receipts.ts';

export function addOrgCommands(program: Program, cli: Cli): void {
  const { run } = cli;
  const org = program.command('org').description('Create, show and update organisations.');

  withOptionalFields(
    org
      .command('create')
      .description('Create an organisation. It has no API key yet: see key issue.')
      .requiredOption('--name <name>', help.name, as(name))
      .requiredOption('--country <code>', help.country, as(country))
      .requiredOption('--timezone <zone>', help.timezone, as(timezone)),
  )
    .option('--id <org_id>', `Its id: ${organisationId.allowed} (default: a random id).`, as(organisationId))
    .addHelpText(
      'after',
      example('org create --name "Harbour City FC" --country AU --timezone Australia/Melbourne --id org_harbourfc'),
    )
    .action(({ id: orgId = newOrganisationId(), name, country, timezone, ...fields }) =>
      run(async (context) => {
        const { company = null, businessNumber = null, paymentAccountId = null, ...others } = changeOf(fields);
        const { statementDescriptor = null, sendsReceipts = false, locale = defaultLocale, ...looks } = others;
        const { logoImage = null, backgroundImage = null, favicon = null, backgroundColor = null } = looks;
        const entity = { orgId, name, country, timezone, locale, company, businessNumber, paymentAccountId };
        const payments = { statementDescriptor, sendsReceipts };
        const createdUnix = unixSeconds(context.clock);
        const record = { ...entity, ...payments, logoImage, backgroundImage, favicon, backgroundColor, createdUnix };
        if ((await createOrganisation(context.table, record)) === 'exists') {
          throw refusal('organisation_exists', `The organisation ${orgId} exists already.`);
        }
        await showOrganisation(context, orgId);
      }),
    );

  org
    .command('show')
    .description('Show an organisation.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .addHelpText('after', example('org show org_harbourfc'))
    .action((orgId) =>
      run(async (context) => {
        await showOrganisation(context, orgId);
      }),
    );

  const update = withOptionalFields(
    org
      .command('update')
      .description('Change fields of an organisation. An empty value ("") clears a field that may be empty.')
      .argument('<org_id>', organisationHelp, as(organisationId))
      .option('--name <name>', help.name, as(name))
      .option('--country <code>', help.country, as(country))
      .option('--timezone <zone>', help.timezone, as(timezone))
      .option('--key-minute <count>', `Requests per API key and minute: ${limit.allowed}.`, as(limit))
      .option('--key-day <count>', `Requests per API key and day: ${limit.allowed}.`, as(limit))
      .option('--org-day <count>', `Requests of the organisation per day: ${limit.allowed}.`, as(limit)),
  )
    .addHelpText('after', example('org update org_harbourfc --background-color "#0b2545" --favicon ""'))
    .action((orgId, { name, country, timezone, keyMinute, keyDay, orgDay, ...fields }) => {
      const change = { name, country, timezone, ...changeOf(fields) };
      const limits = {
        ...(keyMinute !== undefined && { key_minute: keyMinute }),
        ...(keyDay !== undefined && { key_day: keyDay }),
        ...(orgDay !== undefined && { organisation_day: orgDay }),
      };
      if (Object.values({ ...change, ...limits }).every((value) => value === undefined)) {
        throw usageError(`Name at least one field to change: ${update.options.map(({ long }) => long).join(', ')}.`);
      }
      return run(async (context) => {
        const isChanged = await applyChange(context, orgId, { change, limits });
        await showOrganisation(context, orgId, isChanged);
      });
    });

  withYes(org.command('rotate-links'))
    .description(
      "End all links of tickets and the tokens of Apple's passes, because the key that signs them or many of them leaked. New ones are valid.",
    )
    .argument('<org_id>', organisationHelp, as(organisationId))
    .addHelpText('after', example('org rotate-links org_harbourfc --yes'))
    .action((orgId, { yes }) =>
      run(async (context) => {
        const organisation = await readOrganisation(context.table, orgId);
        if (organisation === undefined) throw organisationMissing(orgId);
        confirm(yes, `All links of tickets and all tokens of Apple's passes of ${orgId} would end.`);
        const linkKeyVersion = linkKeyVersionOf(organisation) + 1;
        await updateOrganisation(context.table, orgId, { linkKeyVersion });
        const text = `All links of tickets of ${orgId} have ended, and no Apple pass can be updated until it is downloaded again. Key ${linkKeyVersion} signs the next ones.`;
        context.show({ org_id: orgId, link_key_version: linkKeyVersion }, text);
      }),
    );
  addOrgReceipts(org, cli);
}

const name = line(200);
const help = {
  name: 'The name that fans know.',
  country: `The country: ${country.allowed}.`,
  timezone: `The time zone: ${timezone.allowed}.`,
};

const text = clearable(line(200));
const image = clearable({
  allowed: 'an https address of at most 2,000 characters',
  parse: (address) =>
    address.length <= 2_000 && URL.canParse(address) && new URL(address).protocol === 'https:' ? address : undefined,
} satisfies ArgumentType<string>);

/** Stripe's rules for the suffix of a statement descriptor. */
const descriptor = {
  allowed: '2 to 10 Latin letters, digits, spaces, dots and hyphens, with at least one letter',
  parse: (entered) => (/^(?=.*[A-Za-z])[A-Za-z0-9 .-]{2,10}$/.test(entered) ? entered : undefined),
} satisfies ArgumentType<string>;

/** The fields that may be empty, the same in create and update. */
function withOptionalFields<Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) {
  return command
    .option(
      '--locale <tag>',
      `The language and country of tickets, receipts and passes (default: ${defaultLocale}): ${locale.allowed}.`,
      as(locale),
    )
    .option('--company <name>', 'The registered name of the legal entity.', as(text))
    .option('--business-number <number>', 'The registration number of the legal entity, such as an ABN.', as(text))
    .option('--payment-account <id>', 'Its account at the payment provider.', as(text))
    .option(
      '--statement-descriptor <text>',
      `What buyers see on their statement, after the name of the account: ${descriptor.allowed}.`,
      as(clearable(descriptor)),
    )
    .addOption(
      new Option('--receipts <yes|no>', 'Whether the payment provider sends its own receipt to buyers.').choices([
        'yes',
        'no',
      ] as const),
    )
    .option('--logo-image <url>', 'The https address of the logo.', as(image))
    .option('--background-image <url>', 'The https address of the background image.', as(image))
    .option('--favicon <url>', 'The https address of the icon.', as(image))
    .option('--background-color <colour>', `The background colour: ${colour.allowed}.`, as(clearable(colour)));
}

interface OptionalFields {
  readonly locale?: string | undefined;
  readonly company?: string | undefined;
  readonly businessNumber?: string | undefined;
  readonly paymentAccount?: string | undefined;
  readonly statementDescriptor?: string | undefined;
  readonly receipts?: 'yes' | 'no' | undefined;
  readonly logoImage?: string | undefined;
  readonly backgroundImage?: string | undefined;
  readonly favicon?: string | undefined;
  readonly backgroundColor?: string | undefined;
}

/** An empty text clears the field; a field that is not given stays as it is. */
function changeOf(fields: OptionalFields): OrganisationChange {
  const cleared = (value: string | undefined): string | null | undefined => (value === '' ? null : value);
  return {
    locale: fields.locale,
    company: cleared(fields.company),
    businessNumber: cleared(fields.businessNumber),
    paymentAccountId: cleared(fields.paymentAccount),
    statementDescriptor: cleared(fields.statementDescriptor),
    sendsReceipts: fields.receipts && fields.receipts === 'yes',
    logoImage: cleared(fields.logoImage),
    backgroundImage: cleared(fields.backgroundImage),
    favicon: cleared(fields.favicon),
    backgroundColor: cleared(fields.backgroundColor),
  };
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** 60 random bits. */
function newOrganisationId(): string {
  return `org_${Array.from(randomBytes(12), (byte) => base32.charAt(byte % base32.length)).join('')}`;
}

const limit: ArgumentType<number> = {
  allowed: 'an integer from 1 to 100000000',
  parse: (text) => (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= 100_000_000 ? Number(text) : undefined),
};

interface OrganisationChanges {
  readonly change: OrganisationChange;
  readonly limits: Partial<RequestLimits>;
}

/** The limits are in the item that authenticates requests, so they are written separately. The command can be repeated. */
async function applyChange(
  { table }: Context,
  orgId: string,
  { change, limits }: OrganisationChanges,
): Promise<boolean> {
  const isGiven = (fields: object): boolean => Object.values(fields).some((value) => value !== undefined);
  const updated = isGiven(change) ? await updateOrganisation(table, orgId, change) : unchanged;
  const limited = isGiven(limits) ? await changeRequestLimits(table, orgId, limits) : unchanged;
  if (updated === undefined || limited === undefined) throw organisationMissing(orgId);
  return updated.outcome === 'changed' || limited.outcome === 'changed';
}

const unchanged = { outcome: 'unchanged' } as const;

async function showOrganisation(context: Context, orgId: string, changed?: boolean): Promise<void> {
  const record = await readOrganisation(context.table, orgId);
  if (record === undefined) throw organisationMissing(orgId);
  const limits = await readRequestLimits(context.table, orgId);
  const resource = organisationResource(record);
  const rows = Object.entries(resource).map(([field, value]) => [field, orDash(value)]);
  const limitRows = Object.entries(limits).map(([window, count]) => [window, String(count)]);
  const sheet = alignColumns([...rows, ...limitRows, ['created', showTime(record.createdUnix)]]);
  const document = { ...resource, limits, created: record.createdUnix };
  if (changed === undefined) context.show(document, sheet);
  else context.show({ ...document, changed }, withOutcome(sheet, changed));
}
