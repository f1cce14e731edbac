import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { as, fileName, oneOf, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { organisationMissing } from '../failure.ts';
import { noProgress, showProgress } from '../output/progress.ts';
import { datasets } from '../transfer/datasets.ts';
import { exportFile } from '../transfer/export.ts';
import { formatOf, formats, streamName } from '../transfer/file-format.ts';
import { journalExport } from '../transfer/journal-export.ts';

export function addExportCommands(program: Program, { run }: Cli): void {
  const group = program.command('export').description("Export an organisation's data as CSV or NDJSON.");

  for (const dataset of [...datasets, journalExport]) {
    const isImported = dataset !== journalExport;
    group
      .command(dataset.name)
      .summary(`Export ${dataset.plural}.`)
      .description(
        isImported
          ? `Export ${dataset.plural} in the format that import ${dataset.name} reads.`
          : 'Export the journal for accounting, one row for each line of an entry. The last six seconds are left out.',
      )
      .argument('<org_id>', organisationHelp, as(organisationId))
      .argument('[file]', 'The file to write; - or nothing for stdout (use npm run --silent).', as(fileName))
      .option(
        '--format <format>',
        'csv or ndjson (default: from the file name; ndjson for stdout).',
        as(oneOf(formats)),
      )
      .addHelpText('after', example(`export ${dataset.name} org_harbourfc ${dataset.name}.csv`))
      .action((orgId, named, { format: chosen }) => {
        const file = named ?? streamName;
        const format = formatOf(file, chosen);
        return run(async ({ table, clock, show, streams, isJson }) => {
          if ((await readOrganisation(table, orgId)) === undefined) throw organisationMissing(orgId);
          const scope = { table, orgId, clock };
          const progress = isJson ? noProgress : showProgress(streams.stderr, { stepsPerLine: 5_000 });
          const target = { stdout: streams.stdout, progress };
          const rows = await exportFile({ dataset, file, format }, scope, target).finally(() => progress.end());
          // Rows on stdout are for another program, which expects nothing but rows.
          if (file !== streamName) show({ file, rows }, `Wrote ${rows} ${dataset.plural} to ${file}.`);
        });
      });
  }
}
