import { readOrganisation } from '../../shared/data/organisations/organisation.ts';
import { unixSeconds } from '../../shared/platform/clock.ts';
import type { Command, Context, Group } from '../command.ts';
import { refusal } from '../failure.ts';
import { type ExportRequest, exportFile } from '../transfer/export-file.ts';
import type { TransferKind } from '../transfer/kind.ts';
import { kinds } from '../transfer/kinds.ts';
import { formatOf, streamName } from '../transfer/source.ts';
import { fileName, formatName } from '../values/file.ts';
import { organisationId } from '../values/values.ts';

async function run(orgId: string, request: ExportRequest, { table, clock, out, streams }: Context): Promise<void> {
  if ((await readOrganisation(table, orgId)) === undefined) {
    throw refusal('organisation_missing', `There is no organisation ${orgId}.`);
  }
  const { kind, file } = request;
  const rows = await exportFile(request, { table, orgId, nowUnix: unixSeconds(clock) }, streams.stdout);
  // Rows on stdout are for another program: nothing may stand between them.
  if (file !== streamName) out.show({ file, rows }, `${rows} ${kind.things} written to ${file}.`);
}

function exportCommand(kind: TransferKind): Command {
  return {
    name: kind.name,
    summary: `Export ${kind.things}: what import ${kind.name} reads.`,
    positionals: [
      { name: 'org_id', help: 'The organisation, such as org_harbourfc.' },
      {
        name: 'file',
        help: 'Where to write; - or nothing for stdout (with: npm run --silent admin -- …).',
        optional: true,
      },
    ],
    options: [
      { name: 'format', value: 'csv|ndjson', help: 'What to write (default: by the name; ndjson for stdout).' },
    ],
    example: `export ${kind.name} org_harbourfc ${kind.name}.csv`,
    prepare(args) {
      const orgId = args.required('org_id', organisationId);
      const file = args.optional('file', fileName) ?? streamName;
      const format = formatOf(file, args.optional('format', formatName));
      return (context) => run(orgId, { kind, file, format }, context);
    },
  };
}

export const exportGroup: Group = {
  name: 'export',
  summary: "Export an organisation's data as CSV or NDJSON.",
  commands: kinds.map(exportCommand),
};
