import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const basketsAccess = {
  readBasket: { BSK: ['GetItem'] },
  openBasket: { BSK: ['PutItem'], DUE: ['PutItem'] },
  /** Without `recheckTimes`, which writes a hint too, and without `holdLimit`, which reads the count too. */
  changeBasket: {
    BSK: ['GetItem', 'PutItem'],
    SEA: ['UpdateItem'],
    STK: ['Query', 'UpdateItem'],
    HOLD: ['UpdateItem'],
    MPM: ['UpdateItem'],
  },
  readMemberTickets: { MPM: ['GetItem'] },
  limitMoves: { MPM: ['UpdateItem'] },
  readHeldBaskets: { BSK: ['Query'] },
  heldForPuts: { BSK: ['PutItem'] },
  holdMoves: { HOLD: ['UpdateItem'] },
  readHolds: { HOLD: ['GetItem'] },
} satisfies FunctionAccess;
