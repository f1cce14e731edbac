import { listWithdrawals as readWithdrawals } from '../../../shared/data/withdrawals/read.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { withdrawalResource } from '../../../shared/mappers/withdrawal.ts';
import { listWithdrawals } from '../../../shared/operations/withdrawals/list-withdrawals.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listWithdrawals> = async ({ query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const { limit, cursor, ...parameters } = query;
  const { status, order_id: orderId } = parameters;
  const signedList = { key: await cursorKey(), list: { orgId, operation: listWithdrawals.id, parameters } };
  const byOrder = orderId === undefined ? undefined : { orderId };
  const { withdrawals, next } = await readWithdrawals(table, {
    orgId,
    of: status === undefined ? byOrder : { status },
    after: verifyListCursor(signedList, cursor),
    limit,
  });
  return {
    object: 'withdrawals' as const,
    url: `${baseUrl}${listWithdrawals.paths[0]}`,
    has_more: next !== undefined,
    next_cursor: signListCursor(signedList, next),
    data: withdrawals.map(withdrawalResource),
  };
};

export const handler = pipeline(listWithdrawals, handle);
