import { it } from 'vitest';
import { expectSameOutcomes } from '../support/model-table.ts';

it.each([1, 2, 3])('the model of the table answers 10,000 random operations as DynamoDB Local does (%i)', (seed) =>
  expectSameOutcomes(10_000, seed),
);
