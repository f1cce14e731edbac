import type { Basket } from '../../../domain/baskets/basket.ts';
import type { ChangedBasket } from '../../../domain/baskets/changes.ts';
import { notFound } from '../../problem.ts';
import { basketProblem } from './basket-problem.ts';

/** The basket after a change. Throws the problem when the change was refused. */
export function unwrapBasketChange(changed: ChangedBasket, nowUnix: number): Basket {
  switch (changed.outcome) {
    case 'missing':
      throw notFound('basket');
    case 'refused':
      throw basketProblem(changed.refusal, nowUnix);
    default:
      return changed.basket;
  }
}
