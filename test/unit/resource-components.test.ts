import { readdir } from 'node:fs/promises';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { toJson } from '../support/resource-contract.ts';

const folder = new URL('../../shared/operations/schemas/', import.meta.url);

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

/** Every schema that a file of the folder exports, by file and name. */
async function exportedSchemas(): Promise<[string, v.GenericSchema][]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'));
  const modules = await Promise.all(
    files.map(async (file): Promise<[string, object]> => [file, await import(new URL(file, folder).href)]),
  );
  return modules.flatMap(([file, module]) =>
    Object.entries(module)
      .filter((entry): entry is [string, v.GenericSchema] => isSchema(entry[1]))
      .map(([name, schema]): [string, v.GenericSchema] => [`${file} ${name}`, schema]),
  );
}

const schemas = await exportedSchemas();

describe('resource schemas', () => {
  it.each(schemas)('the schema can be written as JSON Schema: %s', (_, schema) => {
    expect(() => toJson(schema)).not.toThrow();
  });

  const titled = schemas.filter(([, schema]) => v.getTitle(schema) !== undefined);

  it.each(titled)('the schema is a component under the name of its export: %s', (name, schema) => {
    expect(name.split(' ')[1]).toBe(v.getTitle(schema));
  });

  it('every schema has a distinct component name', () => {
    const titles = titled.map(([, schema]) => v.getTitle(schema));
    expect(titles).toContain('Customer');
    expect(titles).toEqual([...new Set(titles)]);
  });
});
