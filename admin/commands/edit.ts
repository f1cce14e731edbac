import type * as v from 'valibot';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Arguments, ValueKind } from '../arguments.ts';
import type { Command, Context, Group } from '../command.ts';
import { refusal, usageError } from '../failure.ts';
import { fromCell, type Value } from '../transfer/cells.ts';
import { events, venues } from '../transfer/event-kinds.ts';
import type { TransferKind } from '../transfer/kind.ts';
import { priceCategories } from '../transfer/price-category-kind.ts';
import { prices } from '../transfer/price-kind.ts';
import { line, organisationId } from '../values/values.ts';

/** What is changed by hand now and then. It is an import of one row that has to be there already, by the same rules. */
const editedKinds: readonly (readonly [command: string, kind: TransferKind])[] = [
  ['venue', venues],
  ['event', events],
  ['price-category', priceCategories],
  ['price', prices],
];

interface Edit {
  readonly orgId: string;
  readonly key: string;
  readonly within: string;
  readonly fields: Readonly<Record<string, Value>>;
}

async function run(kind: TransferKind, edit: Edit, { table, clock, out }: Context): Promise<void> {
  const { orgId, key, within, fields } = edit;
  if ((await readOrganisation(table, orgId)) === undefined) {
    throw refusal('organisation_missing', `There is no organisation ${orgId}.`);
  }
  const importer = await kind.importer({ table, orgId, nowUnix: unixSeconds(clock) });
  if (!(await importer.has(key, within))) {
    throw refusal('row_missing', `${orgId} has no ${kind.name} row ${[within, key].filter(Boolean).join(' ')}.`);
  }
  const checked = importer.check({ ...fields, [kind.key]: key, ...(kind.within && { [kind.within]: within }) });
  if ('problems' in checked) throw refusal('row_rejected', checked.problems.join(' '));
  const outcome = await checked.save();
  if (typeof outcome !== 'string') throw refusal('row_rejected', outcome.rejected);
  await importer.settle();
  out.show({ org_id: orgId, [kind.key]: key, outcome }, outcome === 'unchanged' ? 'It is so already.' : 'Changed.');
}

/** What the file's columns take, as a word of the command line: "" empties. */
function cell(schema: v.GenericSchema): ValueKind<Value> {
  return { allowed: 'what the column of an import takes', parse: (text) => fromCell(schema, text) };
}

const optionOf = (column: string): string => column.replaceAll('_', '-');

function editCommand(name: string, kind: TransferKind): Command {
  const { key, within } = kind;
  const columns = Object.entries(kind.schema.entries).filter(([column]) => column !== key && column !== within);
  const fieldsIn = (args: Arguments): Record<string, Value> =>
    Object.fromEntries(
      columns
        .filter(([column]) => args.has(optionOf(column)))
        .map(([column, schema]) => [column, args.required(optionOf(column), cell(schema))]),
    );
  return {
    name,
    summary: `Change fields of one of the ${kind.things}; an empty value ("") empties or gives the default.`,
    positionals: [
      { name: 'org_id', help: 'The organisation, such as org_harbourfc.' },
      ...(within === undefined ? [] : [{ name: within, help: 'What it belongs to.' }]),
      { name: key, help: 'What it is known by in imports.' },
    ],
    options: columns.map(([column]) => ({
      name: optionOf(column),
      value: 'VALUE',
      help: `${column}, as in import ${kind.name}.`,
    })),
    example: `edit ${name} org_harbourfc ${within === undefined ? '' : 'round-5 '}${exampleOf[name] ?? ''}`.trim(),
    prepare(args) {
      const edit = {
        orgId: args.required('org_id', organisationId),
        key: args.required(key, line(64)),
        within: within === undefined ? '' : args.required(within, line(64)),
        fields: fieldsIn(args),
      };
      if (Object.keys(edit.fields).length === 0) {
        throw usageError(
          `Name at least one field to change: ${columns.map(([column]) => `--${optionOf(column)}`).join(', ')}.`,
        );
      }
      return (context) => run(kind, edit, context);
    },
  };
}

const exampleOf: Readonly<Record<string, string>> = {
  venue: 'park --venue-name "Harbour Park"',
  event: 'round-5 --event-status-id 3',
  'price-category': 'east --status inactive',
  price: 'adult --capacity 1200 --status active',
};

export const editGroup: Group = {
  name: 'edit',
  summary: 'Change a venue, an event, a price category or a price.',
  commands: editedKinds.map(([name, kind]) => editCommand(name, kind)),
};
