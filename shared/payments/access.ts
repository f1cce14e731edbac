import type { FunctionAccess } from '../domain/table-access.ts';

/** What the sandbox does to the table, by the methods of a payment provider. */
export const sandboxAccess = {
  setUp: { SBX: ['PutItem', 'GetItem', 'UpdateItem'] },
  retrieveSetup: { SBX: ['GetItem'] },
  prepare: { SBX: ['PutItem', 'GetItem'] },
  confirm: { SBX: ['GetItem', 'UpdateItem'] },
  retrieve: { SBX: ['GetItem'] },
  cancel: { SBX: ['GetItem', 'UpdateItem'] },
  refund: { SBX: ['GetItem', 'UpdateItem'] },
  readSandboxPayment: { SBX: ['GetItem'] },
  decideSandboxPayment: { SBX: ['GetItem', 'UpdateItem'] },
} satisfies FunctionAccess;
