import { parseId } from '../../../domain/ids.ts';
import { notFound } from '../../problem.ts';

/** The number of the refund of a path within its order. A malformed id and that of another order are the same 404. */
export function refundNumberIn(refundId: string, orderId: number): number {
  const beginning = `${orderId}-`;
  const number = refundId.startsWith(beginning) ? parseId(refundId.slice(beginning.length)) : undefined;
  if (number === undefined) throw notFound('refund');
  return number;
}
