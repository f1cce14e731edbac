import { isRecord } from '../operations/schema-shape.ts';
import type { Json } from './components.ts';
import { pascalCase } from './operation-names.ts';

/** A schema is worth a component if it takes so many characters: a reference to it takes fifty. */
const longSchemaCharacters = 130;

/** A part of the document that may occur again, and what stays beside the reference to it. */
interface Sharable {
  readonly group: 'schemas' | 'parameters';
  readonly name: string;
  readonly content: Json;
  readonly beside: Json;
}

type Components = Record<Sharable['group'], Record<string, Json>>;

/** Replaces parameters and long schemas that occur more than once by references to components, which have the name of the field. */
export function shareRepeated(part: Json): { readonly part: Json; readonly components: Components } {
  const counts = new Map<string, number>();
  visit(part, '', ({ content }, node, inner) => {
    const key = JSON.stringify(content);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    // What is inside occurs again only where a reference to the whole would not replace it.
    return count > 1 ? node : inner(node);
  });
  const names = new Map<string, string>();
  const components: Components = { schemas: {}, parameters: {} };
  const shared = visit(part, '', ({ group, name, content, beside }, node, inner) => {
    const key = JSON.stringify(content);
    if ((counts.get(key) ?? 0) < 2) return inner(node);
    const known = names.get(key) ?? freeName(components[group], name);
    if (!names.has(key)) {
      names.set(key, known);
      components[group][known] = content;
      components[group][known] = inner(content);
    }
    return { $ref: `#/components/${group}/${known}`, ...beside };
  });
  return { part: shared, components };
}

type Change = (sharable: Sharable, node: Json, inner: (node: Json) => Json) => Json;

/** What a client sends or gets is no schema, whatever it contains. */
const examples = new Set(['example', 'examples']);

/** An alternative or an item is a value of the same field. */
const ofSameField = new Set(['anyOf', 'items', 'schema', 'additionalProperties']);

const isParameter = (node: Json): node is Json & { readonly name: string } =>
  typeof node.name === 'string' && typeof node.in === 'string';

function visit(node: Json, field: string, change: Change): Json {
  const within = (value: unknown, name: string): unknown => {
    if (examples.has(name)) return value;
    if (Array.isArray(value)) return value.map((each) => within(each, name));
    return isRecord(value) ? visit(value, name, change) : value;
  };
  const own = isParameter(node) ? node.name : field;
  const nameOf = (key: string): string => (ofSameField.has(key) ? own : key);
  const inner = (whole: Json): Json =>
    Object.fromEntries(Object.entries(whole).map(([key, value]) => [key, within(value, nameOf(key))]));
  const sharable = sharableOf(node, field);
  return sharable === undefined ? inner(node) : change(sharable, node, inner);
}

function sharableOf(node: Json, field: string): Sharable | undefined {
  if (isParameter(node))
    return { group: 'parameters', name: pascalCase(node.name.replaceAll('_', '-')), content: node, beside: {} };
  const { description, default: value, ...content } = node;
  const text = JSON.stringify(content);
  const isSchema = typeof content.type === 'string' || Array.isArray(content.anyOf);
  // Generators name objects with fields and enums after their operation, and programs use these names.
  const hasNamed = /"properties":|"enum":/.test(text);
  // The schema of a whole body has the name of its media type here.
  if (!isSchema || hasNamed || field.includes('/') || text.length < longSchemaCharacters) return undefined;
  const beside = { ...(description !== undefined && { description }), ...('default' in node && { default: value }) };
  const suffix = content.type === 'string' ? 'Text' : 'Value';
  return { group: 'schemas', name: `${pascalCase(field.replaceAll('_', '-'))}${suffix}`, content, beside };
}

function freeName(taken: Readonly<Record<string, Json>>, name: string): string {
  const numbered = [name, ...Array.from({ length: 100 }, (_, index) => `${name}${index + 2}`)];
  return numbered.find((one) => !(one in taken)) ?? name;
}
