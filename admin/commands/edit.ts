import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { type ArgumentType, as, line, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { organisationMissing, refusal, usageError } from '../failure.ts';
import { fromCell, type Value } from '../transfer/cells.ts';
import type { Dataset } from '../transfer/dataset.ts';
import { events } from '../transfer/datasets/events.ts';
import { pools } from '../transfer/datasets/pools.ts';
import { priceCategories } from '../transfer/datasets/price-categories.ts';
import { prices } from '../transfer/datasets/prices.ts';
import { venues } from '../transfer/datasets/venues.ts';

/** What operators can edit. An edit imports one row, which must exist, by the rules of import. */
const editable: readonly (readonly [command: string, dataset: Dataset, exampleArguments: string])[] = [
  ['venue', venues, 'park --venue-name "Harbour Park"'],
  ['event', events, 'round-5 --event-status-id 3 --yes'],
  ['price-category', priceCategories, 'round-5 east --status inactive --yes'],
  ['pool', pools, 'round-5 terrace --capacity 2500'],
  ['price', prices, 'round-5 adult --capacity 1200 --status active'],
];

export function addEditCommands(program: Program, { run }: Cli): void {
  const group = program.command('edit').description('Change a venue, an event, a price category, a pool or a price.');

  for (const [name, dataset, exampleArguments] of editable) {
    const { key, parentKey } = dataset;
    const command = group
      .command(name)
      .description(
        `Change fields of one of the ${dataset.plural}. An empty value ("") clears the field or sets its default.`,
      )
      .argument('<org_id>', organisationHelp, as(organisationId));
    const columns = addColumnOptions(command, dataset);
    if (columns.some(({ column }) => onSale.has(column))) withYes(command);
    const edit = (orgId: string, parent: string, code: string): Promise<void> => {
      const fields = fieldsIn(command, columns);
      const yes = command.getOptionValue('yes') === true;
      return run((context) => save({ name, dataset, orgId, parent, code, fields, yes }, context));
    };
    const keyHelp = `The ${key} of the row, as in import ${dataset.name}.`;
    if (parentKey === undefined) {
      command.argument(`<${key}>`, keyHelp, as(line(64))).action((orgId, code) => edit(orgId, '', code));
    } else {
      command
        .argument(`<${parentKey}>`, 'The code of the event.', as(line(64)))
        .argument(`<${key}>`, keyHelp, as(line(64)))
        .action((orgId, parent, code) => edit(orgId, parent, code));
    }
    command.addHelpText('after', example(`edit ${name} org_harbourfc ${exampleArguments}`));
  }
}

/** The columns that say whether something is on sale, and their value if it is. An edit to any other value asks. */
const onSale: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['event_status_id', 1],
  ['status', 'active'],
]);

interface ColumnOption {
  readonly column: string;
  readonly option: Option;
  /** Converts the text of the command line to the type of the column. */
  parse(text: string): Value;
}

/** An option for each column that does not identify the row: `--event-status-id` for `event_status_id`. */
function addColumnOptions(command: CommandUnknownOpts, { key, parentKey, name, schema }: Dataset): ColumnOption[] {
  return Object.entries(schema.entries)
    .filter(([column]) => column !== key && column !== parentKey)
    .map(([column, columnSchema]) => {
      const help = `The column ${column} of import ${name}.`;
      const option = new Option(`--${column.replaceAll('_', '-')} <value>`, help).argParser(as(anyText));
      command.addOption(option);
      return { column, option, parse: (text) => fromCell(columnSchema, text) };
    });
}

const anyText: ArgumentType<string> = { allowed: 'any text', parse: (text) => text };

function fieldsIn(command: CommandUnknownOpts, columns: readonly ColumnOption[]): Record<string, Value> {
  const fields: Record<string, Value> = {};
  for (const { column, option, parse } of columns) {
    const text: unknown = command.getOptionValue(option.attributeName());
    if (typeof text === 'string') fields[column] = parse(text);
  }
  if (Object.keys(fields).length === 0) {
    throw usageError(`Name at least one field to change: ${columns.map(({ option }) => option.long).join(', ')}.`);
  }
  return fields;
}

interface Edit {
  readonly name: string;
  readonly dataset: Dataset;
  readonly orgId: string;
  /** What the code is unique within; empty if it is unique in the organisation. */
  readonly parent: string;
  readonly code: string;
  readonly fields: Readonly<Record<string, Value>>;
  readonly yes: boolean;
}

async function save(edit: Edit, { table, clock, show }: Context): Promise<void> {
  const { name, dataset, orgId, parent, code, fields, yes } = edit;
  const { key, parentKey } = dataset;
  if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
  const importer = await dataset.importer({ table, orgId, clock });
  if (!(await importer.has(code, parent))) {
    throw refusal('row_missing', `${orgId} has no ${name.replace('-', ' ')} ${`${parent} ${code}`.trim()}.`);
  }
  const checked = importer.check({ ...fields, [key]: code, ...(parentKey && { [parentKey]: parent }) });
  if ('problems' in checked) throw refusal('row_rejected', checked.problems.join(' '));
  const ends = Object.entries(fields).some(([column, value]) => onSale.has(column) && onSale.get(column) !== value);
  if (ends) confirm(yes || undefined, `The ${name.replace('-', ' ')} ${code} of ${orgId} would not be on sale.`);
  const outcome = await checked.save();
  if (typeof outcome !== 'string') throw refusal('row_rejected', outcome.rejected);
  await importer.flush();
  const changed = outcome !== 'unchanged';
  show({ org_id: orgId, [key]: code, outcome, changed }, changed ? 'Changed.' : 'Nothing changed.');
}
