import type { Operation, QueryDependencies } from '../operations/operation.ts';
import { bodyTextPattern, queryTextPattern } from '../operations/schemas/text.ts';
import { maxSimpleFormBytes, simpleFormFields, simpleFormFieldsOf } from '../operations/simple-form.ts';
import type { Json } from './components.ts';

/** What the service checks in every text of a body, stated at each text that has no pattern or format of its own. */
export function jsonInput(schema: Json): Json {
  return rewritten(schema, (node) => (isPlainText(node) ? { ...node, pattern: bodyTextPattern } : node));
}

/**
 * In a form an empty value is null, and there is no other way to send null. Browsers and older clients send 1 and 0 for booleans. The
 * schema for JSON, which stands beside it, describes the fields.
 */
export function formInput(schema: Json): Json {
  return rewritten(jsonInput(schema), ({ description, ...fields }) => {
    // A field may have the name description, too.
    const node: Json = typeof description === 'object' ? { ...fields, description } : fields;
    if (node.type === 'null') return { type: 'string', maxLength: 0 };
    if (node.type === 'boolean') {
      const { type, ...rest } = node;
      return { ...rest, anyOf: [{ type }, { type: 'integer', enum: [0, 1] }] };
    }
    const { default: value, ...rest } = node;
    return value === null ? rest : node;
  });
}

/** The values of a body as a form sends them. */
export function formExample(example: unknown): unknown {
  return JSON.parse(JSON.stringify(example), (_key, value) => value ?? '');
}

export function queryInput(schema: Json): Json {
  return rewritten(schema, (node) => (isPlainText(node) ? { ...node, pattern: queryTextPattern } : node));
}

/** A path with an empty parameter is another path. */
export function pathInput(schema: Json): Json {
  return isPlainText(schema) ? { ...schema, minLength: 1 } : schema;
}

/** What responses give can be sent: an id that is a number there, or one of a list of numbers, without making a text of it first. */
export function asResponsesGive(schema: Json, isNumberInResponses: boolean): Json {
  const { default: value, ...rest } = schema;
  if (!isNumberInResponses || schema.type !== 'string') return schema;
  const numbers = Array.isArray(schema.enum)
    ? schema.enum.filter((each) => /^\d+$/.test(String(each))).map(Number)
    : [];
  // A list of words has no number, whatever another response calls by the name.
  if (Array.isArray(schema.enum) && numbers.length === 0) return schema;
  const number = { type: 'integer', ...(numbers.length > 0 ? { enum: numbers } : { minimum: 1 }) };
  return { anyOf: [number, rest], ...(value !== undefined && { default: value }) };
}

/**
 * OpenAPI 3.1 cannot state how the parameters of a query depend on each other. This extension states it in the keywords of a
 * JSON Schema for the whole query.
 */
export function dependenciesOf({ requires, excludes }: QueryDependencies): Json {
  if (Object.keys(requires).length + excludes.length === 0) return {};
  return {
    'x-query-schema': {
      dependentRequired: requires,
      allOf: excludes.map((pair) => ({ not: { required: pair } })),
    },
  };
}

/** The fields that stand for headers. They are not parameters: with headers they are refused, so this extension states them. */
export function simpleFormOf(operation: Operation): Json {
  const names = simpleFormFieldsOf(operation);
  if (names.length === 0) return {};
  const properties = names.map((name) => [name, { type: 'string', description: simpleFormFields[name] }]);
  const required = names.filter((name) => name !== 'idempotency_key');
  return { 'x-simple-form': { properties: Object.fromEntries(properties), required, maxBytes: maxSimpleFormBytes } };
}

const narrowing = ['pattern', 'enum', 'const', 'format'];

function isPlainText(node: Json): boolean {
  return node.type === 'string' && !narrowing.some((keyword) => keyword in node);
}

function rewritten(schema: Json, change: (node: Json) => Json): Json {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? change(value) : value,
  );
}
