import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { openTable, type Table } from '../../../shared/data/table/table.ts';
import { openTestTable, testClientConfig } from '../table.ts';

/** The same table through a client on which `fault` runs around each transaction, or each of the given commands. */
export function faultyTable(
  table: Table,
  fault: (send: () => Promise<unknown>, attempt: number, items: readonly unknown[]) => Promise<unknown>,
  commands = /^TransactWrite/,
): Table {
  const faulty = openTestTable(table.name);
  let attempt = 0;
  faulty.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (!commands.test(context.commandName ?? '')) return next(args);
      attempt += 1;
      let result: Awaited<ReturnType<typeof next>> | undefined;
      await fault(
        async () => {
          result = await next(args);
        },
        attempt,
        'TransactItems' in args.input ? (args.input.TransactItems ?? []) : [],
      );
      if (result === undefined) throw new Error('The fault let nothing through and threw nothing.');
      return result;
    },
    { step: 'initialize', priority: 'high' },
  );
  return faulty;
}

export const crash = new Error('The process died here.');
export const crashBefore = (table: Table): Table => faultyTable(table, () => Promise.reject(crash));
export const crashAfter = (table: Table): Table =>
  faultyTable(table, async (send) => {
    await send();
    throw crash;
  });

/**
 * The same table for a process that is killed at its n-th call: before the call is sent, or after it was carried out
 * and before the response arrives. Calls in progress are carried out; no new call starts.
 */
export function killedAt(
  table: Table,
  call: number,
  when: 'before' | 'after',
): { readonly table: Table; wasKilled(): boolean } {
  const crashing = openTestTable(table.name);
  let calls = 0;
  let isDead = false;
  crashing.client.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      const isLast = calls === call;
      if (isDead || (isLast && when === 'before')) {
        isDead = true;
        throw crash;
      }
      const result = await next(args);
      if (isLast) isDead = true;
      if (isDead) throw crash;
      return result;
    },
    { step: 'initialize', priority: 'high' },
  );
  return { table: crashing, wasKilled: () => isDead };
}

/**
 * The same table, measuring the depth of its calls: a call is one deeper than the deepest call that had ended when it
 * began.
 */
export function measuredTable(table: Table): { table: Table; calls: string[]; depth(): number } {
  const measured = openTestTable(table.name);
  const calls: string[] = [];
  let deepest = 0;
  measured.client.middlewareStack.add(
    (next, context) => async (args) => {
      const own = deepest + 1;
      calls.push(context.commandName ?? '');
      const result = await next(args);
      deepest = Math.max(deepest, own);
      return result;
    },
    { step: 'initialize', priority: 'high' },
  );
  return { table: measured, calls, depth: () => deepest };
}

/**
 * The same table through a client that loses the response of the first call of a command after it was carried out. The
 * SDK sends that call again.
 */
export function losingFirstAnswer(table: Table, command: string): Table {
  const lossy = openTable(table.name, testClientConfig());
  let isLost = false;
  lossy.client.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      if (isLost || context.commandName !== command) return result;
      isLost = true;
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    },
    { step: 'deserialize', priority: 'low' },
  );
  return lossy;
}

/** The same table, whose first calls meet a transaction on their item. DynamoDB Local never refuses a write for that reason. */
export function conflictingFirst(table: Table, calls: number, command?: string): Table {
  const busy = openTable(table.name, testClientConfig());
  let left = calls;
  busy.client.middlewareStack.add(
    (next, context) => (args) => {
      if (left === 0 || (command !== undefined && context.commandName !== command)) return next(args);
      left -= 1;
      throw new TransactionConflictException({ message: 'Transaction is ongoing for the item', $metadata: {} });
    },
    { step: 'initialize', priority: 'low' },
  );
  return busy;
}

/** The same table, recording the input of its calls. */
export function tracedTable(table: Table): { readonly table: Table; readonly inputs: readonly object[] } {
  const watched = openTestTable(table.name);
  const inputs: object[] = [];
  watched.client.middlewareStack.add(
    (next) => (args) => {
      inputs.push(args.input);
      return next(args);
    },
    { step: 'initialize', priority: 'high' },
  );
  return { table: watched, inputs };
}

/** What DynamoDB returns when it cancels a transaction for a reason other than a condition. */
export function cancelled(Code: string): TransactionCanceledException {
  return new TransactionCanceledException({ message: Code, $metadata: {}, CancellationReasons: [{ Code }] });
}

/**
 * The same table through a client that crashes at its n-th call, before or after the call is carried out, and at every
 * later call.
 */
export function crashingTable(
  table: Table,
  atCall: number,
  moment: 'before' | 'after',
): { table: Table; hasCrashed: () => boolean } {
  const dying = openTestTable(table.name);
  let calls = 0;
  dying.client.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      if (calls < atCall) return next(args);
      if (calls === atCall && moment === 'after') await next(args);
      throw crash;
    },
    { step: 'initialize', priority: 'high' },
  );
  return { table: dying, hasCrashed: () => calls >= atCall };
}
