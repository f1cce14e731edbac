import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const termsAccess = {
  termPuts: { TRM: ['PutItem'] },
  termEnds: { TRM: ['UpdateItem'] },
  termsOfMember: { TRM: ['Query'] },
} satisfies FunctionAccess;
