import { openTable, type Table } from '../../shared/data/table.ts';
import { testClientConfig } from './table.ts';

/** The same table through a client on which `fault` runs around each transaction. */
export function faultyTable(
  table: Table,
  fault: (send: () => Promise<unknown>, attempt: number) => Promise<unknown>,
): Table {
  const faulty = openTable(table.name, testClientConfig());
  let attempt = 0;
  faulty.client.middlewareStack.add(
    (next, context) => async (args) => {
      if (!context.commandName?.startsWith('TransactWrite')) return next(args);
      attempt += 1;
      let result: Awaited<ReturnType<typeof next>> | undefined;
      await fault(async () => {
        result = await next(args);
      }, attempt);
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
