import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const listsAccess = {
  nearestPagePosition: { PAGE: ['Query'] },
  rememberPage: { PAGE: ['PutItem'] },
} satisfies FunctionAccess;
