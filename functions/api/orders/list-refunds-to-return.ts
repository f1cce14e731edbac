import { readOrdersToReturn } from '../../../shared/data/orders/list-to-return.ts';
import { signListCursor, verifyListCursor } from '../../../shared/http/handlers/input/cursors.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { refundsToReturn } from '../../../shared/mappers/order-refund.ts';
import { listRefundsToReturn } from '../../../shared/operations/orders/list-refunds-to-return.ts';
import { cursorKey } from '../../../shared/platform/secret.ts';

export const handle: Handle<typeof listRefundsToReturn> = async ({ query }, { caller, table, baseUrl }) => {
  const { orgId } = caller;
  const signedList = { key: await cursorKey(), list: { orgId, operation: listRefundsToReturn.id, parameters: {} } };
  const after = verifyListCursor(signedList, query.cursor);
  const { orders, next } = await readOrdersToReturn(table, orgId, { after, limit: query.limit });
  return {
    object: 'refunds_to_return',
    url: `${baseUrl}/v1/orders/to_return`,
    has_more: next !== undefined,
    next_cursor: signListCursor(signedList, next),
    data: orders.flatMap(refundsToReturn),
  };
};

export const handler = pipeline(listRefundsToReturn, handle);
