import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const basketsAccess = {
  readBasket: { BSK: ['GetItem'] },
  openBasket: { BSK: ['PutItem'], DUE: ['PutItem'] },
  /** Without `recheckTimes`, which writes a hint too, and without `addressLimit`, which reads the count too. */
  changeBasket: {
    BSK: ['GetItem', 'PutItem'],
    SEA: ['UpdateItem'],
    STK: ['Query', 'UpdateItem'],
    HOLD: ['UpdateItem'],
    MPM: ['UpdateItem'],
  },
  readMemberTickets: { MPM: ['GetItem'] },
  limitMoves: { MPM: ['UpdateItem'] },
  readLongHolds: { BSK: ['Query'] },
  longHoldPuts: { BSK: ['PutItem'] },
  addressCountMoves: { HOLD: ['UpdateItem'] },
  readAddressCount: { HOLD: ['GetItem'] },
} satisfies FunctionAccess;
