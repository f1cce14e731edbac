import type { FunctionAccess } from '../domain/table-access.ts';

/** What the sandbox does to the table, by the methods of a payment provider. */
export const sandboxAccess = {
  prepare: { SBX: ['PutItem'] },
  confirm: { SBX: ['GetItem', 'UpdateItem'] },
  settle: { SBX: ['GetItem', 'UpdateItem'] },
  refund: { SBX: ['GetItem', 'UpdateItem'] },
} satisfies FunctionAccess;
