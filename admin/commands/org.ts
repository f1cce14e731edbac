import { randomBytes } from 'node:crypto';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import {
  createOrganisation,
  type OrganisationChange,
  type OrganisationRecord,
  readOrganisation,
  updateOrganisation,
} from '../../shared/data/organisations/organisation.ts';
import { organisationResource } from '../../shared/mappers/organisation.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import {
  type ArgumentType,
  as,
  clearable,
  colour,
  country,
  line,
  organisationHelp,
  organisationId,
  timezone,
} from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { organisationMissing, refusal, usageError } from '../failure.ts';
import { alignColumns, orDash, showTime, withOutcome } from '../output/text.ts';

export function addOrgCommands(program: Program, { run }: Cli): void {
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
        const { company = null, businessNumber = null, paymentAccountId = null, ...looks } = changeOf(fields);
        const { logoImage = null, backgroundImage = null, favicon = null, backgroundColor = null } = looks;
        const entity = { orgId, name, country, timezone, company, businessNumber, paymentAccountId };
        const createdUnix = unixSeconds(context.clock);
        const record = { ...entity, logoImage, backgroundImage, favicon, backgroundColor, createdUnix };
        if ((await createOrganisation(context.table, record)) === 'exists') {
          throw refusal('organisation_exists', `The organisation ${orgId} exists already.`);
        }
        show(record, context);
      }),
    );

  org
    .command('show')
    .description('Show an organisation.')
    .argument('<org_id>', organisationHelp, as(organisationId))
    .addHelpText('after', example('org show org_harbourfc'))
    .action((orgId) =>
      run(async (context) => {
        const record = await readOrganisation(context.table, orgId);
        if (record === undefined) throw organisationMissing(orgId);
        show(record, context);
      }),
    );

  const update = withOptionalFields(
    org
      .command('update')
      .description('Change fields of an organisation. An empty value ("") clears a field that may be empty.')
      .argument('<org_id>', organisationHelp, as(organisationId))
      .option('--name <name>', help.name, as(name))
      .option('--country <code>', help.country, as(country))
      .option('--timezone <zone>', help.timezone, as(timezone)),
  )
    .addHelpText('after', example('org update org_harbourfc --background-color "#0b2545" --favicon ""'))
    .action((orgId, { name, country, timezone, ...fields }) => {
      const change = { name, country, timezone, ...changeOf(fields) };
      if (Object.values(change).every((value) => value === undefined)) {
        throw usageError(`Name at least one field to change: ${update.options.map(({ long }) => long).join(', ')}.`);
      }
      return run(async (context) => {
        const updated = await updateOrganisation(context.table, orgId, change);
        if (updated === undefined) throw organisationMissing(orgId);
        show(updated.record, context, updated.outcome === 'changed');
      });
    });
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

/** The fields that may be empty, the same in create and update. */
function withOptionalFields<Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) {
  return command
    .option('--company <name>', 'The registered name of the legal entity.', as(text))
    .option('--business-number <number>', 'The registration number of the legal entity, such as an ABN.', as(text))
    .option('--payment-account <id>', 'Its account at the payment provider.', as(text))
    .option('--logo-image <url>', 'The https address of the logo.', as(image))
    .option('--background-image <url>', 'The https address of the background image.', as(image))
    .option('--favicon <url>', 'The https address of the icon.', as(image))
    .option('--background-color <colour>', `The background colour: ${colour.allowed}.`, as(clearable(colour)));
}

interface OptionalFields {
  readonly company?: string | undefined;
  readonly businessNumber?: string | undefined;
  readonly paymentAccount?: string | undefined;
  readonly logoImage?: string | undefined;
  readonly backgroundImage?: string | undefined;
  readonly favicon?: string | undefined;
  readonly backgroundColor?: string | undefined;
}

/** An empty text clears the field; a field that is not given stays as it is. */
function changeOf(fields: OptionalFields): OrganisationChange {
  const cleared = (value: string | undefined): string | null | undefined => (value === '' ? null : value);
  return {
    company: cleared(fields.company),
    businessNumber: cleared(fields.businessNumber),
    paymentAccountId: cleared(fields.paymentAccount),
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

function show(record: OrganisationRecord, context: Context, changed?: boolean): void {
  const resource = organisationResource(record);
  const rows = Object.entries(resource).map(([field, value]) => [field, orDash(value)]);
  const sheet = alignColumns([...rows, ['created', showTime(record.createdUnix)]]);
  const document = { ...resource, created: record.createdUnix };
  if (changed === undefined) context.show(document, sheet);
  else context.show({ ...document, changed }, withOutcome(sheet, changed));
}
