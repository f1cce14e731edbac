import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import { at, document, type Json } from '../support/openapi-inputs.ts';

const rules = readFileSync(new URL('../../docs/api-rules.md', import.meta.url), 'utf8');
const namesIn = (row: string): readonly string[] => {
  const line = rules.split('\n').find((one) => one.startsWith(`| ${row}`));
  return [...(line?.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort();
};

/** The types that each id has in the schemas of responses. */
function idTypes(): ReadonlyMap<string, ReadonlySet<string>> {
  const types = new Map<string, Set<string>>();
  JSON.parse(JSON.stringify(at(document, 'components', 'schemas')), (_key, value) => {
    if (!isRecord(value) || !isRecord(value.properties)) return value;
    for (const [name, field] of Object.entries(value.properties)) {
      if (!name.endsWith('_id') || !isRecord(field)) continue;
      for (const type of typesOf(field)) types.set(name, (types.get(name) ?? new Set()).add(type));
    }
    return value;
  });
  return types;
}

function typesOf({ type, anyOf }: Json): readonly string[] {
  if (Array.isArray(anyOf)) return anyOf.filter(isRecord).flatMap(typesOf);
  if (typeof type !== 'string' || type === 'null') return [];
  return [type === 'string' ? 'text' : 'number'];
}

it('the rules name the ids that are numbers, those that are texts, and those that are both', () => {
  const types = [...idTypes()];
  const named = (...wanted: readonly string[]) =>
    types.flatMap(([name, found]) => (String([...found].sort()) === String(wanted) ? [name] : [])).sort();
  expect(namesIn('Ids that are numbers |')).toEqual(named('number'));
  expect(namesIn('Ids that are texts |')).toEqual(named('text'));
  expect(namesIn('Ids that are numbers in some')).toEqual(named('number', 'text'));
});

it('the rules name the times that are texts, and those that are numbers in other responses', () => {
  const found = new Map<string, Set<string>>();
  JSON.parse(JSON.stringify(at(document, 'components', 'schemas')), (_key, value) => {
    if (!isRecord(value) || !isRecord(value.properties)) return value;
    for (const [name, field] of Object.entries(value.properties)) {
      const kind = JSON.stringify(field).includes('"format":"date-time"') ? 'iso' : 'other';
      found.set(name, (found.get(name) ?? new Set()).add(kind));
    }
    return value;
  });
  const named = (kinds: string) =>
    [...found].flatMap(([name, has]) => (String([...has].sort()) === kinds ? [name] : []));
  expect(namesIn('Times that are texts')).toEqual(named('iso').sort());
  expect(namesIn('Times that are Unix')).toEqual(named('iso,other').sort());
});

it('a path takes the ids of responses as they are, numbers included', () => {
  const types = idTypes();
  const wrong: string[] = [];
  JSON.parse(JSON.stringify(document.paths), (_key, value) => {
    if (!isRecord(value) || value.in !== 'path' || !isRecord(value.schema)) return value;
    const taken = typesOf(value.schema);
    const missing = [...(types.get(String(value.name)) ?? [])].filter((type) => !taken.includes(type));
    wrong.push(...missing.map((type) => `${String(value.name)}: ${type}`));
    return value;
  });
  expect(wrong).toEqual([]);
});
