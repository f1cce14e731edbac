import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const phasesAccess = {
  readEventWithPhases: { EVC: ['Query'] },
  savePhases: { EVC: ['PutItem'] },
} satisfies FunctionAccess;
