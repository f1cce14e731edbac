import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const idempotencyAccess = {
  claimRequest: { IDM: ['PutItem'] },
  storeResponse: { IDM: ['UpdateItem'] },
  releaseClaim: { IDM: ['DeleteItem'] },
} satisfies FunctionAccess;
