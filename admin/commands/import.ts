import { resolve } from 'node:path';
import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Command, Context, Group } from '../command.ts';
import { refusal, usageError } from '../failure.ts';
import type { Counts } from '../transfer/counts.ts';
import { type ImportRequest, importFile } from '../transfer/import-file.ts';
import type { TransferKind } from '../transfer/kind.ts';
import { kinds } from '../transfer/kinds.ts';
import { reporterFor, silentReporter } from '../transfer/progress.ts';
import { formatOf, streamName } from '../transfer/source.ts';
import { fileName, formatName } from '../values/file.ts';
import { organisationId } from '../values/values.ts';

async function run(request: ImportRequest, asJson: boolean, context: Context): Promise<void> {
  const { table, clock, out, streams } = context;
  if ((await readOrganisation(table, request.orgId)) === undefined) {
    throw refusal('organisation_missing', `There is no organisation ${request.orgId}.`);
  }
  const reporter = asJson ? silentReporter : reporterFor(streams.stderr);
  const startMs = clock.nowMs();
  const counts = await importFile(request, { table, nowUnix: unixSeconds(clock), stdin: streams.stdin, reporter });
  reporter.end();
  const seconds = (clock.nowMs() - startMs) / 1000;
  out.show(counts, summary(counts, request.kind, seconds));
  if (counts.rejected > 0) {
    throw refusal(
      'rows_rejected',
      `${counts.rejected} of ${counts.read} rows were rejected. They are in ${request.rejectedFile} with the reasons.`,
    );
  }
}

function summary({ read, created, updated, unchanged, rejected }: Counts, kind: TransferKind, seconds: number): string {
  const rate = seconds > 1 ? ` (${Math.round((read / seconds) * 60)} a minute)` : '';
  const parts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`;
  return `${read} rows of ${kind.things} read${rate}: ${parts}.`;
}

/** `code`, or `code within event_code`. */
function knownBy({ key, within }: TransferKind): string {
  return within === undefined ? key : `${key} within ${within}`;
}

function importCommand(kind: TransferKind): Command {
  return {
    name: kind.name,
    summary: `Import ${kind.things}, known by their ${knownBy(kind)}. To repeat it changes nothing.`,
    positionals: [
      { name: 'org_id', help: 'The organisation, such as org_harbourfc.' },
      { name: 'file', help: `CSV with a header, or NDJSON; - for stdin. Columns: ${kind.columns.join(', ')}.` },
    ],
    options: [
      { name: 'format', value: 'csv|ndjson', help: 'What the file holds (default: by its name; ndjson for stdin).' },
      { name: 'resume', help: 'Go on where an interrupted import of this file stopped (<file>.checkpoint.json).' },
      {
        name: 'rejected',
        value: 'FILE',
        help: 'Where rows that cannot be imported go, with the reasons (default <file>.rejected.ndjson).',
      },
    ],
    example: `import ${kind.name} org_harbourfc ${kind.name}.csv`,
    prepare(args) {
      const orgId = args.required('org_id', organisationId);
      const file = args.required('file', fileName);
      const format = formatOf(file, args.optional('format', formatName));
      const resume = args.has('resume');
      if (resume && file === streamName)
        throw usageError('--resume needs a file: stdin cannot be read again.', '--resume');
      const rejectedFile =
        args.optional('rejected', fileName) ?? `${file === streamName ? kind.name : file}.rejected.ndjson`;
      if (resolve(rejectedFile) === resolve(file)) {
        throw usageError('--rejected must be another file than the one that is read.', '--rejected');
      }
      const asJson = args.has('json');
      return (context) => run({ kind, orgId, file, format, rejectedFile, resume }, asJson, context);
    },
  };
}

export const importGroup: Group = {
  name: 'import',
  summary: "Import an organisation's data from CSV or NDJSON. Announces nothing to anyone.",
  commands: kinds.map(importCommand),
};
