import { randomBytes } from 'node:crypto';
import {
  createOrganisation,
  type OrganisationChange,
  type OrganisationRecord,
  readOrganisation,
  updateOrganisation,
} from '../../shared/data/organisations/organisation.ts';
import { organisationResource } from '../../shared/mappers/organisation.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Command, Context, Group } from '../command.ts';
import { alignColumns, orDash, showTime } from '../documents/text.ts';
import { refusal, usageError } from '../failure.ts';
import { fieldOptions, readFields } from '../values/organisation-fields.ts';
import { organisationId } from '../values/values.ts';

const orgId = { name: 'org_id', help: 'The organisation, such as org_harbourfc.' };

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** 60 random bits: nobody guesses one, and no two are the same. */
function newOrganisationId(): string {
  return `org_${Array.from(randomBytes(12), (byte) => base32.charAt(byte % base32.length)).join('')}`;
}

async function create(
  organisation: Omit<OrganisationRecord, 'createdUnix'>,
  { table, clock, out }: Context,
): Promise<void> {
  const record = { ...organisation, createdUnix: unixSeconds(clock) };
  if ((await createOrganisation(table, record)) === 'exists') {
    throw refusal('organisation_exists', `There is an organisation ${record.orgId} already.`);
  }
  show(record, out);
}

async function showOne(id: string, { table, out }: Context): Promise<void> {
  const record = await readOrganisation(table, id);
  if (record === undefined) throw missing(id);
  show(record, out);
}

async function update(id: string, change: OrganisationChange, { table, out }: Context): Promise<void> {
  const record = await updateOrganisation(table, id, change);
  if (record === undefined) throw missing(id);
  show(record, out);
}

function missing(id: string): Error {
  return refusal('organisation_missing', `There is no organisation ${id}.`);
}

function show(record: OrganisationRecord, out: Context['out']): void {
  const resource = organisationResource(record);
  const rows = Object.entries(resource).map(([name, value]) => [name, orDash(value)]);
  const text = alignColumns([...rows, ['created', showTime(record.createdUnix)]]);
  out.show({ ...resource, created: record.createdUnix }, text);
}

const createCommand: Command = {
  name: 'create',
  summary: 'Create an organisation, with a door but without a key.',
  positionals: [],
  options: [
    ...fieldOptions.map((option) =>
      ['name', 'country', 'timezone'].includes(option.name) ? { ...option, required: true as const } : option,
    ),
    { name: 'id', value: 'ORG_ID', help: `Its id: ${organisationId.allowed}. One is made up unless given.` },
  ],
  example: 'org create --name "Harbour City FC" --country AU --timezone Australia/Melbourne --id org_harbourfc',
  prepare(args) {
    const id = args.optional('id', organisationId) ?? newOrganisationId();
    const fields = readFields(args);
    const { name, country, timezone } = fields;
    if (name === undefined || country === undefined || timezone === undefined) {
      throw new Error('The command does not declare its required options.');
    }
    const record = {
      orgId: id,
      name,
      country,
      timezone,
      company: fields.company ?? null,
      businessNumber: fields.businessNumber ?? null,
      paymentAccountId: fields.paymentAccountId ?? null,
      logoImage: fields.logoImage ?? null,
      backgroundImage: fields.backgroundImage ?? null,
      favicon: fields.favicon ?? null,
      backgroundColor: fields.backgroundColor ?? null,
    };
    return (context) => create(record, context);
  },
};

const showCommand: Command = {
  name: 'show',
  summary: 'Show an organisation.',
  positionals: [orgId],
  options: [],
  example: 'org show org_harbourfc',
  prepare(args) {
    const id = args.required('org_id', organisationId);
    return (context) => showOne(id, context);
  },
};

const updateCommand: Command = {
  name: 'update',
  summary: 'Change fields of an organisation; an empty value ("") clears one that may be empty.',
  positionals: [orgId],
  options: fieldOptions,
  example: 'org update org_harbourfc --background-color "#0b2545" --favicon ""',
  prepare(args) {
    const id = args.required('org_id', organisationId);
    const change = readFields(args);
    if (Object.values(change).every((value) => value === undefined)) {
      const allowed = fieldOptions.map((option) => `--${option.name}`).join(', ');
      throw usageError(`Name at least one field to change: ${allowed}.`);
    }
    return (context) => update(id, change, context);
  },
};

export const organisationGroup: Group = {
  name: 'org',
  summary: 'Organisations: create, show and update them.',
  commands: [createCommand, showCommand, updateCommand],
};
