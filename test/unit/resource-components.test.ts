import { readdir } from 'node:fs/promises';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { toJson } from '../support/resource-promise.ts';

const room = new URL('../../shared/operations/schemas/', import.meta.url);

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';

/** Every schema that a file of the room exports, by file and name. */
async function exportedSchemas(): Promise<[string, v.GenericSchema][]> {
  const files = await readdir(room);
  const modules = await Promise.all(
    files.map(async (file): Promise<[string, object]> => [file, await import(new URL(file, room).href)]),
  );
  return modules.flatMap(([file, module]) =>
    Object.entries(module)
      .filter((entry): entry is [string, v.GenericSchema] => isSchema(entry[1]))
      .map(([name, schema]): [string, v.GenericSchema] => [`${file} ${name}`, schema]),
  );
}

const schemas = await exportedSchemas();

describe('Every schema of the resources', () => {
  it.each(schemas)('can be written as JSON Schema: %s', (_, schema) => {
    expect(() => toJson(schema)).not.toThrow();
  });

  const titled = schemas.filter(([, schema]) => v.getTitle(schema) !== undefined);

  it.each(titled)('is a component under the name of its export: %s', (name, schema) => {
    expect(name.split(' ')[1]).toBe(v.getTitle(schema));
  });

  it('has a component name that no other has', () => {
    const titles = titled.map(([, schema]) => v.getTitle(schema));
    expect(titles).toContain('Customer');
    expect(titles).toEqual([...new Set(titles)]);
  });
});
