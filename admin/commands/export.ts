import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { as, fileName, oneOf, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { organisationMissing } from '../failure.ts';
import { noProgress, showProgress } from '../output/progress.ts';
import { accountingExport } from '../transfer/accounting-export.ts';
import { datasets } from '../transfer/datasets.ts';
import { documentExport } from '../transfer/document-export.ts';
import { exportFile } from '../transfer/export.ts';
import { formatOf, formats, streamName } from '../transfer/file-format.ts';
import { journalExport } from '../transfer/journal-export.ts';

/** Of what has no import. */
const ownDescriptions: Readonly<Record<string, string>> = {
  journal: 'Export the journal for accounting, one row for each line of an entry. The last six seconds are left out.',
  documents: 'Export receipts and credit notes, one row for each line of a document.',
  accounting:
    "Export the journal for bookkeeping, one row for each day in the organisation's zone, account and tax rate. Revenue is negative, money positive: the rows of a day and currency add up to 0. The last six seconds are left out.",
};

export function addExportCommands(program: Program, { run }: Cli): void {
  const group = program.command('export').description("Export an organisation's data as CSV or NDJSON.");

  for (const dataset of [...datasets, journalExport, accountingExport, documentExport]) {
    group
      .command(dataset.name)
      .summary(`Export ${dataset.plural}.`)
      .description(
        ownDescriptions[dataset.name] ?? `Export ${dataset.plural} in the format that import ${dataset.name} reads.`,
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
