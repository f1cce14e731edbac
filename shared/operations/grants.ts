import { authAccess } from '../data/auth/access.ts';
import { idempotencyAccess } from '../data/idempotency/access.ts';
import { requestLogAccess } from '../data/requests/access.ts';
import { type Access, combineAccess, type TableAccess } from '../domain/table-access.ts';
import { outboxAccess } from '../outbox/access.ts';
import type { Auth, Operation } from './operation.ts';

const authentication: Readonly<Record<Auth['kind'], Access>> = {
  metered: authAccess.admitKey,
  unmetered: authAccess.inspectKey,
  public: [],
};

/**
 * Everything an operation's function does to the table: its own access, its authentication, the row of the request log, the
 * events it announces, and the responses that a POST keeps for its Idempotency-Key.
 */
export function operationAccess({ auth, effects, method }: Operation): TableAccess {
  return combineAccess([
    effects.access,
    authentication[auth.kind],
    auth.kind === 'public' ? [] : requestLogAccess.requestPut,
    auth.gates ? authAccess.admitGate : [],
    auth.storefront ? authAccess.admitStorefront : [],
    effects.emits.length > 0 ? outboxAccess.outboxItems : [],
    method === 'POST' ? Object.values(idempotencyAccess) : [],
  ]);
}
