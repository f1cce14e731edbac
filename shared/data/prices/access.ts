import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const pricesAccess = {
  readPriceList: { EVC: ['Query'] },
  readPricedEvent: { EVC: ['Query'] },
  readEventWithCategories: { EVC: ['Query'] },
  readOffer: { EVC: ['GetItem', 'Query'] },
  readStock: { STK: ['Query'] },
  returnStock: { STK: ['UpdateItem'] },
} satisfies FunctionAccess;
