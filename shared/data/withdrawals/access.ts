import type { FunctionAccess } from '../../domain/table-access.ts';
import { membersAccess } from '../members/access.ts';

/** What the functions of this folder do to the table. */
export const withdrawalsAccess = {
  readWithdrawal: { WDR: ['GetItem'] },
  listWithdrawals: { WDR: ['Query'] },
  openWithdrawals: { WDR: ['BatchGetItem'] },
  askedPut: { WDR: ['DeleteItem', 'PutItem'] },
  withdrawalPut: [{ WDR: ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'PutItem'] }, membersAccess.memberCheck],
} satisfies FunctionAccess;
