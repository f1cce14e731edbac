import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const positionsAccess = {
  positionChangePut: { POS: ['PutItem'] },
  keysInOrder: { POS: ['GetItem', 'Query'], POT: ['Query'] },
  applyPositionChanges: {
    POS: ['BatchWriteItem', 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query'],
    POT: ['DeleteItem', 'PutItem', 'Query'],
  },
} satisfies FunctionAccess;
