import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const receiptsAccess = {
  readReceipt: { RCP: ['GetItem'] },
  readReceipts: { RCP: ['Query'] },
  receiptsOfOrder: { RCP: ['Query'] },
  readBook: { RCB: ['GetItem'] },
  organisationsWithReceipts: { RCB: ['Query'] },
  takeLease: { RCB: ['PutItem'] },
  forgetBuyers: { RCB: ['PutItem'], RCP: ['Query', 'UpdateItem'] },
  issueDocuments: { RCB: ['PutItem'], RCP: ['PutItem'] },
} satisfies FunctionAccess;
