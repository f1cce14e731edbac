import { userInfo } from 'node:os';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { beginChange, endChange } from '../shared/data/admin/operator-changes.ts';
import { operatorChangesPartition } from '../shared/data/table/keys.ts';
import type { Table } from '../shared/data/table/table.ts';
import { type Clock, unixSeconds } from '../shared/platform/clock.ts';
import { failureOf } from './failure.ts';

interface Run {
  readonly command: CommandUnknownOpts | undefined;
  readonly by: string;
  readonly requestId: string;
  readonly clock: Clock;
}

const writes = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

/**
 * Runs an action, and records who ran which command as soon as it writes to the table. Every command passes here, so none has to say
 * that it changes something. The record comes before the first write: no change is without one.
 */
export async function recordingChanges(table: Table, run: Run, action: () => Promise<void>): Promise<void> {
  const { requestId, clock } = run;
  let sent = 0;
  let begun: Promise<void> | undefined;
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!writes.test(commandName) || isRecord(args.input)) return next(args);
        begun ??= beginChange(table, { ...described(run), requestId, startedUnix: unixSeconds(clock) });
        await begun;
        sent += 1;
        return next(args);
      },
    { step: 'initialize', name: 'recordChange', priority: 'high' },
  );
  const end = async (outcome: 'done' | 'failed', code: string | null): Promise<void> => {
    if (begun === undefined) return;
    const ended = { outcome, code, writes: sent, endedUnix: unixSeconds(clock) };
    // What the command did is more important to the operator than its record, which then stays `begun`.
    await endChange(table, requestId, ended).catch(() => undefined);
  };
  try {
    await action();
  } catch (error) {
    await end('failed', failureOf(error).code);
    throw error;
  }
  await end('done', null);
}

/** Whether a write is that of the record itself. */
function isRecord(input: object): boolean {
  const item: unknown = Reflect.get(input, 'Item') ?? Reflect.get(input, 'Key');
  return typeof item === 'object' && item !== null && Reflect.get(item, 'pk') === operatorChangesPartition();
}

/** Who runs the CLI: what the operator says, or else the user of the machine. */
export function operatorOf(by: string | undefined, { GATELINE_OPERATOR }: NodeJS.ProcessEnv): string {
  return by ?? (GATELINE_OPERATOR || userInfo().username);
}

/** Arguments and options that name no person. The values of all others are left out of the record. */
const impersonal = new Set([
  ...['org_id', 'order', 'member', 'status', 'code', 'event_code', 'venue_id', 'gate_id', 'key_id', 'token_id'],
  ...['provider_id', 'tickets', 'events', 'gates', 'scopes', 'overlap', 'expires', 'capacity', 'resume'],
]);

function described({ command, by }: Pick<Run, 'command' | 'by'>) {
  const values: readonly unknown[] = command?.processedArgs ?? [];
  const given = (command?.registeredArguments ?? []).map(
    (argument, index) => [argument.name(), values[index]] as const,
  );
  const options = Object.entries(command?.opts() ?? {}).map(([name, value]) => [name, value] as const);
  const named = [
    ...given.map(([name, value]) => `${name} ${shown(name, value)}`),
    ...options.map(([name, value]) => `--${name} ${shown(name, value)}`),
  ];
  const orgId = given.find(([name]) => name === 'org_id')?.[1];
  return { by, command: pathOf(command), orgId: typeof orgId === 'string' ? orgId : null, named };
}

function shown(name: string, value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  return impersonal.has(name) ? String(value) : '…';
}

/** The words of a command, as in `order refund`. */
function pathOf(command: CommandUnknownOpts | undefined): string {
  if (command?.parent == null) return '';
  return `${pathOf(command.parent)} ${command.name()}`.trim();
}
