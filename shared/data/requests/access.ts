import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const requestLogAccess = {
  requestPut: { REQ: ['PutItem'] },
  readRequests: { REQ: ['Query'] },
} satisfies FunctionAccess;
