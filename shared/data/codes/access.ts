import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const codesAccess = {
  readCampaign: { CDC: ['GetItem'] },
  listCampaigns: { CDC: ['Query'] },
  saveCampaign: { CDC: ['PutItem'], EVC: ['PutItem', 'DeleteItem'] },
  missingPrices: { EVC: ['BatchGetItem'] },
  currenciesOfEvents: { EVT: ['BatchGetItem'] },
  createCodes: { CDE: ['PutItem'], STK: ['PutItem'] },
  listCodes: { CDE: ['Query'], STK: ['BatchGetItem'] },
  deleteCode: { CDE: ['UpdateItem'] },
  readCode: { CDE: ['GetItem'] },
  findCode: {
    CDE: ['GetItem'],
    CDC: ['GetItem'],
    STK: ['GetItem', 'PutItem', 'Query', 'UpdateItem'],
  },
} satisfies FunctionAccess;
