import { listChanges, type OperatorChange } from '../../shared/data/admin/operator-changes.ts';
import { as, numericId, organisationHelp, organisationId } from '../arguments.ts';
import { type Cli, example, type Program } from '../cli.ts';
import { alignColumns, orDash, showTime } from '../output/text.ts';

export function addChangesCommands(program: Program, { run }: Cli): void {
  program
    .command('changes')
    .description('List what was changed by the CLI, the newest first: who ran which command, when, and how it ended.')
    .option('--org <org_id>', organisationHelp, as(organisationId))
    .option('--limit <count>', 'How many (default: 50).', as(numericId))
    .addHelpText('after', example('changes --org org_harbourfc'))
    .action(({ org: orgId, limit = 50 }) =>
      run(async ({ table, show }) => {
        const changes = await listChanges(table, { orgId, limit });
        show({ object: 'changes', data: changes.map(changeDocument) }, changeTable(changes));
      }),
    );
}

function changeDocument(change: OperatorChange) {
  return {
    request_id: change.requestId,
    by: change.by,
    command: change.command,
    org_id: change.orgId,
    named: change.named,
    started: change.startedUnix,
    ended: change.endedUnix,
    outcome: change.outcome,
    code: change.code,
    writes: change.writes,
  };
}

function changeTable(changes: readonly OperatorChange[]): string {
  if (changes.length === 0) return 'Nothing was changed by the CLI yet.';
  const rows = changes.map(({ startedUnix, by, command, named, outcome, code, requestId }) => [
    showTime(startedUnix),
    by,
    `${command} ${named.join(' ')}`.trim(),
    outcome,
    orDash(code),
    requestId,
  ]);
  return alignColumns([['STARTED', 'BY', 'COMMAND', 'OUTCOME', 'CODE', 'REQUEST'], ...rows]);
}
