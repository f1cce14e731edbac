import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const organisationsAccess = {
  readOrganisation: { ORG: ['GetItem'] },
  nextOrganisation: { ORG: ['Query'] },
} satisfies FunctionAccess;
