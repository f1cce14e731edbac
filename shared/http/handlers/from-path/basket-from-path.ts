import { parseId } from '../../../domain/ids.ts';
import { notFound } from '../../problem.ts';

/** Parses the basket id of a path. The basket may not exist. */
export function parseBasketId(text: string): number {
  const basketId = parseId(text);
  if (basketId === undefined) throw notFound('basket');
  return basketId;
}
