import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const customersAccess = {
  readCustomer: { CUS: ['GetItem'] },
  findCustomer: { CUS: ['GetItem'], UNI: ['GetItem'] },
  listCustomers: { CUS: ['GetItem', 'Query'], CUV: ['Query'] },
  findOrCreateCustomer: { CUS: ['PutItem'], CUV: ['PutItem', 'Query'], UNI: ['PutItem'] },
} satisfies FunctionAccess;
