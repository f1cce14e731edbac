import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { alternativesOf, entriesOf, itemOf, unwrap } from '../operations/schema-shape.ts';

export type Json = Readonly<Record<string, unknown>>;
export type TitledSchemas = Readonly<Record<string, v.GenericSchema>>;

const conversion: Omit<ConversionConfig, 'definitions'> = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  // A rule in code, such as that no calendar has a 30 February, has no JSON Schema; nor has what we note for ourselves.
  ignoreActions: ['check', 'metadata'],
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

/** Every schema with a title that can be reached from these: each becomes one component, and so one type of a client. */
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
  return opened(toJsonSchemaDefs(titled, conversion));
}

/**
 * We refuse to send a field that a schema does not name, but a client must not refuse to read one: new fields may come within
 * a version. So what is published does not close its objects.
 */
function opened(value: object): Record<string, Json> {
  return JSON.parse(JSON.stringify(value), (key, inner) =>
    key === 'additionalProperties' && inner === false ? undefined : inner,
  );
}

/** The schema in place, with references to the titled ones in it. */
export function inlineSchema(schema: v.GenericSchema, titled: TitledSchemas): Json {
  const {
    $schema: _draft,
    $defs: _definitions,
    ...json
  } = toJsonSchema(schema, { ...conversion, definitions: titled });
  return json;
}
