import { expect, it } from 'vitest';
import { fillsOrFreesRow } from '../../shared/workers/seat-rows.ts';

function change(taken: number, back?: number): boolean {
  const seats = Object.fromEntries(Array.from({ length: taken }, (_, seat) => [`s:${seat}`, { S: 'b1' }]));
  const NewImage = { size: { N: '4' }, ...seats, ...(back !== undefined && { freed: { N: String(back) } }) };
  return fillsOrFreesRow({ dynamodb: { NewImage } });
}

it('sold_out is looked at when a row of seats becomes full, or is full no longer', () => {
  expect([change(3), change(4), change(3, 1), change(2, 2), change(2, 1), change(0)]).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
});
