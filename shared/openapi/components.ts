import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { alternativesOf, entriesOf, itemOf, unwrap } from '../operations/schema-shape.ts';

export type Json = Readonly<Record<string, unknown>>;
export type TitledSchemas = Readonly<Record<string, v.GenericSchema>>;

const conversion: Omit<ConversionConfig, 'definitions'> = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  // JSON Schema cannot express a check in code.
  ignoreActions: ['check'],
  // An enum of one value, because many generators have no type for `const`.
  overrideSchema: ({ jsonSchema: { const: value } }) =>
    typeof value === 'string' || typeof value === 'boolean'
      ? { type: typeof value === 'string' ? 'string' : 'boolean', enum: [value] }
      : undefined,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

/** All schemas with a title that these schemas contain. Each becomes a component, and so a type in generated clients. */
export function titledSchemas(roots: readonly v.GenericSchema[]): TitledSchemas {
  const found = new Map<string, v.GenericSchema>();
  for (const schema of roots.flatMap(reachable)) {
    const title = v.getTitle(schema);
    if (title === undefined) continue;
    if ((found.get(title) ?? schema) !== schema)
      throw new Error(`Two schemas have the title ${title}. Titles must be unique.`);
    found.set(title, schema);
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function reachable(schema: v.GenericSchema): v.GenericSchema[] {
  const target = unwrap(schema);
  const item = itemOf(target);
  const inner = [
    ...Object.values(entriesOf(target) ?? {}),
    ...(item === undefined ? [] : [item]),
    ...alternativesOf(target),
  ];
  return [target, ...inner.flatMap(reachable)];
}

export function componentSchemas(titled: TitledSchemas): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(opened(toJsonSchemaDefs(titled, conversion))).map(([title, schema]) => [
      title,
      { ...schema, ...discriminatorOf(titled[title]) },
    ]),
  );
}

/** Generators need it to choose a type by the value of a field, without trying one type after the other. */
function discriminatorOf(schema: v.GenericSchema | undefined): Json {
  if (schema === undefined || !('key' in schema) || typeof schema.key !== 'string') return {};
  const { key } = schema;
  const mapping = alternativesOf(schema).map((alternative) => [
    literalOf(entriesOf(alternative)?.[key]),
    `#/components/schemas/${v.getTitle(alternative)}`,
  ]);
  return { discriminator: { propertyName: key, mapping: Object.fromEntries(mapping) } };
}

function literalOf(schema: v.GenericSchema | undefined): string {
  if (schema === undefined || !('literal' in schema)) throw new Error('A discriminator needs a literal.');
  return String(schema.literal);
}

/**
 * The service sends no field that a schema does not contain, but clients must accept new fields within a version. So the
 * published schemas allow additional properties.
 */
function opened(value: object): Record<string, Json> {
  return JSON.parse(JSON.stringify(value), (key, inner) =>
    key === 'additionalProperties' && inner === false ? undefined : inner,
  );
}

/** An inline schema, with references to the titled schemas in it. */
export function inlineSchema(schema: v.GenericSchema, titled: TitledSchemas): Json {
  // The library converts every definition that it gets, so it gets only those that the schema contains.
  const contained = new Set(reachable(schema));
  const definitions = Object.fromEntries(Object.entries(titled).filter(([, one]) => contained.has(one)));
  const { $schema: _draft, $defs: _definitions, ...json } = toJsonSchema(schema, { ...conversion, definitions });
  return json;
}
