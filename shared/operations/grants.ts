import type { TableAccess, TableAction } from '../domain/table-access.ts';
import type { Auth, Operation } from './operation.ts';

/** What authentication does to the organisation's item of keys and counts on behalf of an operation. */
const authActions: Readonly<Record<Auth['kind'], readonly TableAction[]>> = {
  metered: ['UpdateItem'],
  unmetered: ['GetItem'],
  public: [],
};

/**
 * Everything an operation's function does to the table: its own access, its authentication, the pages it remembers, the
 * events it announces, and the responses that a POST keeps for its Idempotency-Key.
 */
export function tableAccess({ auth, input, effects, method }: Operation): TableAccess {
  const { access, emits } = effects;
  const ofAuth = authActions[auth.kind];
  return {
    ...access,
    ...(ofAuth.length > 0 && { AUTH: ofAuth }),
    ...(auth.gates && { GATEAUTH: ['UpdateItem'] }),
    ...('page_number' in input.query.entries && { PAGE: ['Query', 'PutItem'] }),
    ...(emits.length > 0 && { FEED: withPut(access.FEED), DUE: withPut(access.DUE) }),
    ...(method === 'POST' && { IDM: ['PutItem', 'UpdateItem', 'DeleteItem'] }),
  };
}

function withPut(own: readonly TableAction[] = []): TableAction[] {
  return [...new Set<TableAction>([...own, 'PutItem'])];
}
