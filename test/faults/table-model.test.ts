import { it } from 'vitest';
import { expectSameOutcomes } from '../support/model-table.ts';

it('the model of the table answers 30,000 random operations as DynamoDB Local does', () => expectSameOutcomes(30_000));
