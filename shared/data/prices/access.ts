import type { Access, FunctionAccess } from '../../domain/table-access.ts';

const changeStock = {
  STK: ['ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'],
} satisfies Access;

/** What the functions of this folder do to the table. */
export const pricesAccess = {
  readPriceList: { EVC: ['Query'] },
  readPricedEvent: { EVC: ['Query'] },
  readEventWithCategories: { EVC: ['Query'] },
  readOffer: { EVC: ['GetItem', 'Query'] },
  readPrice: { EVC: ['GetItem'] },
  readPool: { EVC: ['GetItem'] },
  readTicketRules: { EVC: ['BatchGetItem'] },
  readBarcodeTimes: { EVC: ['BatchGetItem'] },
  readPriceCategory: { EVC: ['GetItem'] },
  stockOf: { STK: ['Query'] },
  savePrice: [
    changeStock,
    {
      EVC: ['ConditionCheckItem', 'GetItem', 'PutItem', 'Query'],
      EVT: ['ConditionCheckItem'],
      UNI: ['GetItem', 'PutItem'],
    },
  ],
  savePool: [changeStock, { EVC: ['ConditionCheckItem', 'PutItem', 'Query'] }],
  savePriceCategory: { EVC: ['GetItem', 'PutItem'] },
  readStock: { STK: ['Query'] },
  returnStock: { STK: ['UpdateItem'] },
} satisfies FunctionAccess;
