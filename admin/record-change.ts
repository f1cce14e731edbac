import { userInfo } from 'node:os';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { beginChange, endChange } from '../shared/data/admin/operator-changes.ts';
import { operatorChangesPartition } from '../shared/data/table/keys.ts';
import type { Table } from '../shared/data/table/table.ts';
import { type Clock, unixSeconds } from '../shared/platform/clock.ts';
import { failureOf } from './failure.ts';

export interface Run {
  readonly command: CommandUnknownOpts | undefined;
  readonly by: string;
  readonly requestId: string;
  readonly clock: Clock;
}

/** The record of one run, which comes before its first write: no change is without one. */
interface ChangeRecord {
  beforeWrite(): Promise<void>;
  end(outcome: 'done' | 'failed', code: string | null): Promise<void>;
}

const writes = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

/**
 * Runs an action, and records who ran which command as soon as it writes to the table. Every command passes here, so none has to say
 * that it changes something.
 */
export async function recordingChanges(table: Table, run: Run, action: () => Promise<void>): Promise<void> {
  const record = changeRecord(table, run);
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (writes.test(commandName) && !isRecord(args.input)) await record.beforeWrite();
        return next(args);
      },
    { step: 'initialize', name: 'recordChange', priority: 'high' },
  );
  await ended(record, action);
}

/**
 * Runs an action on a stage. What it changes outside the table it changes with `change`, which records it; a stage that was never
 * deployed has no table to keep a record in.
 */
export async function recordingStageChanges(
  openTable: () => Promise<Table | undefined>,
  run: Run,
  action: (change: <Result>(write: () => Result | Promise<Result>) => Promise<Result>) => Promise<void>,
): Promise<void> {
  let opened: Promise<Table | undefined> | undefined;
  let record: ChangeRecord | undefined;
  const lazy: ChangeRecord = {
    async beforeWrite() {
      opened ??= openTable();
      const table = await opened;
      if (table !== undefined) record ??= changeRecord(table, run);
      await record?.beforeWrite();
    },
    async end(outcome, code) {
      await record?.end(outcome, code);
    },
  };
  try {
    await ended(lazy, () =>
      action(async (write) => {
        await lazy.beforeWrite();
        return write();
      }),
    );
  } finally {
    (await opened)?.client.destroy();
  }
}

function changeRecord(table: Table, run: Run): ChangeRecord {
  const { requestId, clock } = run;
  let sent = 0;
  let begun: Promise<void> | undefined;
  return {
    async beforeWrite() {
      begun ??= beginChange(table, { ...described(run), requestId, startedUnix: unixSeconds(clock) });
      await begun;
      sent += 1;
    },
    async end(outcome, code) {
      if (begun === undefined) return;
      const completed = { outcome, code, writes: sent, endedUnix: unixSeconds(clock) };
      // What the command did is more important to the operator than its record, which then stays `begun`.
      await endChange(table, requestId, completed).catch(() => undefined);
    },
  };
}

async function ended(record: ChangeRecord, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    await record.end('failed', failureOf(error).code);
    throw error;
  }
  await record.end('done', null);
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
  ...['provider_id', 'signer_id', 'tickets', 'events', 'gates', 'scopes', 'overlap', 'expires', 'capacity', 'resume'],
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
