import type { FunctionAccess } from '../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const ssoAccess = {
  findSignedInUser: { SSO: ['Query', 'GetItem'] },
} satisfies FunctionAccess;
