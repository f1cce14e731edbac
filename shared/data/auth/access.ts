import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const authAccess = {
  admitKey: { AUTH: ['UpdateItem'] },
  inspectKey: { AUTH: ['GetItem'] },
  admitGate: { GATEAUTH: ['UpdateItem'] },
  admitStorefront: { PUB: ['GetItem', 'UpdateItem'], PUBCNT: ['GetItem', 'UpdateItem'] },
  readAllowedOrigins: { PUB: ['Query', 'BatchGetItem'] },
  readBasketKey: { PUB: ['Query', 'BatchGetItem'] },
} satisfies FunctionAccess;
