import type { FunctionAccess } from '../../domain/table-access.ts';
import { membersAccess } from '../members/access.ts';

/** What the functions of this folder do to the table. */
export const renewalsAccess = {
  readRenewal: { RNW: ['GetItem'] },
  saveRenewal: [{ RNW: ['PutItem'] }, membersAccess.changeMember],
  renewalHintPut: { DUE: ['PutItem'] },
} satisfies FunctionAccess;
