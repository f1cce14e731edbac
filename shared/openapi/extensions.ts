import { isRecord } from '../operations/schema-shape.ts';
import type { Json } from './components.ts';

/** From how many characters of fields on a schema is written as the extension of another one. Fewer agree by chance. */
const extendedCharacters = 500;

/** Writes a schema that has all fields of another one and more of its own as an extension of it: a CheckedPrice is a Price with warnings. */
export function asExtensions(schemas: Readonly<Record<string, Json>>): Record<string, Json> {
  const texts = new Map(Object.entries(schemas).map(([name, schema]) => [name, fieldsOf(schema)]));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const own = fieldsOf(schema);
      const [base] = [...texts]
        .filter(([other, fields]) => other !== name && isPart(fields, own))
        .sort(([, one], [, another]) => sizeOf(another) - sizeOf(one));
      return [name, base === undefined ? schema : extension(schema, base)] as const;
    }),
  );
}

/** The fields of an object, each as a text that says all of it; none of a schema that is more than an object. */
type Fields = ReadonlyMap<string, string>;

const plain = new Set(['type', 'properties', 'required', 'description', 'title']);

function fieldsOf(schema: Json): Fields {
  const { type, properties, required } = schema;
  if (type !== 'object' || !isRecord(properties) || Object.keys(schema).some((key) => !plain.has(key)))
    return new Map();
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  return new Map(
    Object.entries(properties).map(([name, field]) => [name, `${isRequired(name)} ${JSON.stringify(field)}`]),
  );
}

const sizeOf = (fields: Fields): number => [...fields.values()].join('').length;

function isPart(some: Fields, all: Fields): boolean {
  if (some.size >= all.size || sizeOf(some) < extendedCharacters) return false;
  return [...some].every(([name, text]) => all.get(name) === text);
}

function extension(schema: Json, [base, inherited]: readonly [string, Fields]): Json {
  const { type, properties, required, ...rest } = schema;
  const isOwn = (name: unknown): boolean => !inherited.has(String(name));
  const own = Object.entries(isRecord(properties) ? properties : {}).filter(([name]) => isOwn(name));
  const ownRequired = (Array.isArray(required) ? required : []).filter(isOwn);
  const ownFields = { type, properties: Object.fromEntries(own) };
  return {
    ...rest,
    // Not beside one reference: openapi-python-client takes such a schema for the one that it refers to.
    allOf: [
      { $ref: `#/components/schemas/${base}` },
      { ...ownFields, ...(ownRequired.length > 0 && { required: ownRequired }) },
    ],
  };
}

/** The schema with the fields of what it extends in their place, for a reader that wants all of them. */
export function withInherited(schema: Json, resolve: (reference: Json) => Json): Json {
  const { allOf, ...rest } = schema;
  const isExtension = Array.isArray(allOf) && allOf.some((one) => isRecord(one) && '$ref' in one);
  if (!isExtension) return schema;
  const parts = allOf.filter(isRecord).map((one) => ('$ref' in one ? withInherited(resolve(one), resolve) : one));
  return {
    ...rest,
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
  };
}
