import type { FunctionAccess } from '../../domain/table-access.ts';

/** What the functions of this folder do to the table. */
export const tableAccess = {
  personHash: { HMAC: ['GetItem'] },
  ping: { PING: ['GetItem'] },
  putHint: { DUE: ['PutItem'] },
  removeHint: { DUE: ['DeleteItem'] },
  overdueHints: { DUE: ['Query'] },
} satisfies FunctionAccess;
