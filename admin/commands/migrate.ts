import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrationName, migrations } from '../../shared/data/admin/migrations/migrations.ts';
import { runMigration } from '../../shared/data/admin/migrations/run.ts';
import { type MigrationState, readMigration } from '../../shared/data/admin/migrations/state.ts';
import { nextOrganisation } from '../../shared/data/organisations/directory.ts';
import { measureCapacity } from '../../shared/data/table/capacity-meter.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { typedKeys } from '../../shared/domain/typed-keys.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import { type ArgumentType, as, oneOf } from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { refusal } from '../failure.ts';
import { showProgress } from '../output/progress.ts';
import { alignColumns } from '../output/text.ts';

const names = typedKeys(migrations);
const mostUnits = 40_000;
/** A tenth of what a new table serves at once. */
const defaultUnits = 400;

const units: ArgumentType<number> = {
  allowed: `a whole number from 1 to ${mostUnits}`,
  parse: (text) => (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= mostUnits ? Number(text) : undefined),
};

export function addMigrateCommands(program: Program, { run }: Cli): void {
  program
    .command('migrate')
    .description(
      'Write rows of all organisations in the shape of this release (ADR 48), while the service runs. A run that was interrupted continues where it stopped. Without a name, show how far each migration is.',
    )
    .argument('[migration]', `The rows to write: ${names.join(', ')}.`, as(oneOf(names)))
    .option(
      '--units-per-second <number>',
      `Read and write units a second: ${units.allowed}. Default: ${defaultUnits}.`,
      as(units),
    )
    .addHelpText('after', example('migrate members --units-per-second 1000 --stage prod'))
    .action((name, { unitsPerSecond = defaultUnits }) =>
      run((context) => (name === undefined ? showAll(context) : migrate(name, unitsPerSecond, context))),
    );
}

async function showAll({ table, show }: Context): Promise<void> {
  const states = await Promise.all(names.map(async (name) => ({ name, state: await readMigration(table, name) })));
  const rows = states.map(({ name, state }) => [name, stateText(state), migrations[name].description]);
  show(
    { object: 'migrations', data: states.map(({ name, state }) => documentOf(name, state)) },
    alignColumns([['MIGRATION', 'STATE', 'ROWS'], ...rows]),
  );
}

async function migrate(name: MigrationName, unitsPerSecond: number, context: Context): Promise<void> {
  const { table, clock, streams, show } = context;
  // The pace needs to know what each call costs.
  measureCapacity(table.client, table.meter);
  const total = await countOrganisations(table);
  const progress = showProgress(streams.stderr, { stepsPerLine: 5_000 });
  let startMs = performance.now();
  const pace = async (spent: number): Promise<void> => {
    const leftMs = (spent / unitsPerSecond) * 1000 - (performance.now() - startMs);
    if (leftMs > 0) await sleep(leftMs);
    startMs = performance.now();
  };
  const report = ({ rows, written, organisations }: MigrationState): void =>
    progress.update(`${rows} rows, ${written} written`, {
      count: rows,
      share: total === 0 ? undefined : Math.min(1, organisations / total),
    });
  try {
    const result = await runMigration({ table, nowUnix: () => unixSeconds(clock), pace, report }, name);
    if (result.outcome === 'other_run') {
      throw refusal('migration_running', 'Another run has continued this migration. This one has stopped.');
    }
    const { rows, written, organisations } = result.state;
    show(
      documentOf(name, result.state),
      `${organisations} organisations, ${rows} rows, ${written} written. All of them have the shape of this release.`,
    );
  } finally {
    progress.end();
  }
}

function stateText(state: MigrationState | undefined): string {
  if (state === undefined) return 'not started';
  const { finishedUnix, orgId, rows } = state;
  return finishedUnix === undefined
    ? `in progress: ${rows} rows, at ${orgId || 'the first organisation'}`
    : `finished ${new Date(finishedUnix * 1000).toISOString()}`;
}

function documentOf(name: MigrationName, state: MigrationState | undefined) {
  return {
    object: 'migration',
    migration: name,
    started: state?.startedUnix ?? null,
    finished: state?.finishedUnix ?? null,
    organisations: state?.organisations ?? 0,
    rows: state?.rows ?? 0,
    written: state?.written ?? 0,
  };
}

async function countOrganisations(table: Table): Promise<number> {
  let count = 0;
  for (let orgId = await nextOrganisation(table, ''); orgId !== undefined; count += 1) {
    orgId = await nextOrganisation(table, orgId);
  }
  return count;
}
