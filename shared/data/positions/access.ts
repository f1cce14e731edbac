import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const positionsAccess = {
  positionChangePut: { POS: ['PutItem'] },
  locatePosition: { POS: ['GetItem', 'Query'], POT: ['GetItem'] },
  readKeyPage: { POS: ['GetItem', 'Query'], POT: ['BatchGetItem', 'GetItem', 'Query'] },
  allKeys: { POS: ['GetItem', 'Query'], POT: ['GetItem', 'Query'] },
  keysFrom: { POS: ['GetItem', 'Query'], POT: ['BatchGetItem', 'GetItem', 'Query'] },
  applyPositionChanges: {
    POS: ['BatchWriteItem', 'PutItem', 'Query'],
    POT: ['DeleteItem', 'GetItem', 'PutItem'],
  },
} satisfies FunctionAccess;
