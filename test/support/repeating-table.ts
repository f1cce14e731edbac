import { execute } from '../../local/cloud/dynamodb/model/execute.ts';
import type { Item } from '../../local/cloud/dynamodb/model/values.ts';
import { eventKey } from '../../shared/data/table/keys.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { newTableModel, openModelTable } from '../../tools/fixtures/model-table.ts';

/** A table on which the search for the next event finds the first one again, as a mistake in the audit would. */
export function tableThatRepeatsEvents(): Table {
  const model = newTableModel();
  const first = eventKey('', 0).sk;
  const last = eventKey('', Number.MAX_SAFE_INTEGER).sk;
  const repeat = (input: Readonly<Item>): Readonly<Item> => {
    const values = input.ExpressionAttributeValues;
    if (!isObject(values) || values[':last'] !== last) return input;
    return { ...input, ExpressionAttributeValues: { ...values, ':after': first } };
  };
  return openModelTable('model', async (operation, input) => execute(model, operation, repeat(input)), {
    sleep: async () => {},
    random: () => 0,
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
