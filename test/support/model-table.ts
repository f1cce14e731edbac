import fc from 'fast-check';
import { expect } from 'vitest';
import { execute } from '../../local/cloud/dynamodb/model/execute.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { newTableModel, openModelTable } from '../../tools/fixtures/model-table.ts';
import { createLocalTable } from './dynamodb-local.ts';
import { randomOperation } from './random-table-operations.ts';
import { outcomeOf, wholeTable } from './table-outcomes.ts';

/** A table in memory, without latency and limits. */
export function modelTable(model = newTableModel()): Table {
  return openModelTable('model', async (operation, input) => execute(model, operation, input), {
    sleep: async () => {},
    random: () => 0,
  });
}

/** Sends the same random operations to the model and to DynamoDB Local, and compares every response and what is stored after. */
export async function expectSameOutcomes(numRuns: number, seed: number): Promise<void> {
  const modelled = modelTable();
  const table = await createLocalTable();
  for (const operation of fc.sample(randomOperation, { numRuns, seed })) {
    const expected = await outcomeOf(table, operation);
    expect({ operation, outcome: await outcomeOf(modelled, operation) }).toEqual({ operation, outcome: expected });
  }
  expect(await wholeTable(modelled)).toEqual(await wholeTable(table));
}
