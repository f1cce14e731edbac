import { isRecord } from '../operations/schema-shape.ts';
import type { Json } from './components.ts';
import { pascalCase } from './operation-names.ts';

/** A text is worth a component if it takes so many characters. The pattern of an email address alone has 500. */
const longTextCharacters = 200;

/** A part of the document that may occur again, and what stays beside the reference to it. */
interface Sharable {
  readonly group: 'schemas' | 'parameters';
  readonly name: string;
  readonly content: Json;
  readonly beside: Json;
}

type Shared = Readonly<Record<Sharable['group'], Readonly<Record<string, Json>>>>;

/** Replaces parameters and long texts that occur more than once by references to components, which have the name of the field. */
export function shareRepeated(part: Json): { readonly part: Json; readonly components: Shared } {
  const counts = new Map<string, number>();
  visit(part, '', (sharable, node) => {
    const key = JSON.stringify(sharable.content);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return node;
  });
  const names = new Map<string, string>();
  const components: Record<Sharable['group'], Record<string, Json>> = { schemas: {}, parameters: {} };
  const shared = visit(part, '', ({ group, name, content, beside }, node) => {
    const key = JSON.stringify(content);
    if ((counts.get(key) ?? 0) < 2) return node;
    const known = names.get(key) ?? freeName(components[group], name);
    names.set(key, known);
    components[group][known] = content;
    return { $ref: `#/components/${group}/${known}`, ...beside };
  });
  return { part: shared, components };
}

function visit(node: Json, field: string, change: (sharable: Sharable, node: Json) => Json): Json {
  const sharable = sharableOf(node, field);
  if (sharable !== undefined) return change(sharable, node);
  const inner = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => inner(each, name));
    return isRecord(value) ? visit(value, name, change) : value;
  };
  // An alternative or an item is a value of the same field.
  const nameOf = (key: string): string => (['anyOf', 'items', 'schema'].includes(key) ? field : key);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inner(value, nameOf(key))]));
}

function sharableOf(node: Json, field: string): Sharable | undefined {
  if (typeof node.name === 'string' && typeof node.in === 'string')
    return { group: 'parameters', name: pascalCase(node.name.replaceAll('_', '-')), content: node, beside: {} };
  const { description, default: value, ...content } = node;
  if (content.type !== 'string' || JSON.stringify(content).length < longTextCharacters) return undefined;
  const beside = { ...(description !== undefined && { description }), ...('default' in node && { default: value }) };
  return { group: 'schemas', name: `${pascalCase(field.replaceAll('_', '-'))}Text`, content, beside };
}

function freeName(taken: Readonly<Record<string, Json>>, name: string): string {
  const numbered = [name, ...Array.from({ length: 100 }, (_, index) => `${name}${index + 2}`)];
  return numbered.find((one) => !(one in taken)) ?? name;
}
