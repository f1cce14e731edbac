import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const ssoDataAccess = {
  findLink: { SSO: ['GetItem'] },
  linkCheck: { SSO: ['ConditionCheckItem'] },
  linkPut: { SSO: ['PutItem'] },
  saveLink: { SSO: ['PutItem'] },
  removeLink: { SSO: ['DeleteItem'] },
} satisfies FunctionAccess;
