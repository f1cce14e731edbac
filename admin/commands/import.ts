import { resolve } from 'node:path';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { as, fileName, oneOf, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { organisationMissing, refusal, usageError } from '../failure.ts';
import { noProgress, showProgress } from '../output/progress.ts';
import type { Counts } from '../transfer/counts.ts';
import type { Dataset } from '../transfer/dataset.ts';
import { datasets } from '../transfer/datasets.ts';
import { formatOf, formats, streamName } from '../transfer/file-format.ts';
import { type ImportRequest, importFile } from '../transfer/import.ts';
import { columnsText } from '../transfer/metadata-columns.ts';

export function addImportCommands(program: Program, { run }: Cli): void {
  const group = program
    .command('import')
    .description("Import an organisation's data from CSV or NDJSON. Imports send no events.");

  for (const dataset of datasets) {
    group
      .command(dataset.name)
      .summary(`Import ${dataset.plural}.`)
      .description(
        `Import ${dataset.plural}, identified by ${identity(dataset)}. Importing the same file again changes nothing.`,
      )
      .argument('<org_id>', organisationHelp, as(organisationId))
      .argument(
        '<file>',
        `CSV with a header line, or NDJSON; - for stdin. Columns: ${columnsText(dataset)}.`,
        as(fileName),
      )
      .option('--format <format>', 'csv or ndjson (default: from the file name; ndjson for stdin).', as(oneOf(formats)))
      .option('--resume', 'Continue an interrupted import of this file (<file>.checkpoint.json).')
      .option(
        '--rejected <file>',
        'Where to write rejected rows with the reasons (default: <file>.rejected.ndjson).',
        as(fileName),
      )
      .addHelpText('after', example(`import ${dataset.name} org_harbourfc ${dataset.name}.csv`))
      .action((orgId, file, { format: chosen, resume = false, rejected }) => {
        const format = formatOf(file, chosen);
        if (resume && file === streamName) {
          throw usageError('--resume needs a file: stdin cannot be read again.', '--resume');
        }
        const rejectedFile = rejected ?? `${file === streamName ? dataset.name : file}.rejected.ndjson`;
        if (resolve(rejectedFile) === resolve(file)) {
          throw usageError('--rejected must not be the file that is imported.', '--rejected');
        }
        return run((context) => importRows({ dataset, orgId, file, format, rejectedFile, resume }, context));
      });
  }
}

/** `code`, or `event_code and code`. */
function identity({ key, parentKey }: Dataset): string {
  return parentKey === undefined ? key : `${parentKey} and ${key}`;
}

async function importRows(request: ImportRequest, context: Context): Promise<void> {
  const { table, clock, isJson, streams } = context;
  if ((await readOrganisation(table, request.orgId)) === undefined) throw organisationMissing(request.orgId);
  const progress = isJson ? noProgress : showProgress(streams.stderr, { stepsPerLine: 5_000 });
  const startMs = clock.nowMs();
  const surroundings = { table, clock, stdin: streams.stdin, progress };
  const counts = await importFile(request, surroundings).finally(() => progress.end());
  const changed = counts.created + counts.updated > 0;
  context.show({ ...counts, changed }, summary(counts, request.dataset, (clock.nowMs() - startMs) / 1000));
  if (counts.rejected > 0) {
    throw refusal(
      'rows_rejected',
      `${counts.rejected} of ${counts.read} rows were rejected. See ${request.rejectedFile} for the rows and the reasons.`,
    );
  }
}

function summary({ read, created, updated, unchanged, rejected }: Counts, dataset: Dataset, seconds: number): string {
  const rate = seconds > 1 ? ` (${Math.round((read / seconds) * 60)} a minute)` : '';
  const parts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`;
  const nothing = created + updated === 0 ? ' Nothing changed.' : '';
  return `${read} rows of ${dataset.plural} read${rate}: ${parts}.${nothing}`;
}
