import * as v from 'valibot';
import type { Operation, ParameterSchema } from '../operations/operation.ts';
import { entriesOf, isRecord, mapValueOf, unwrap } from '../operations/schema-shape.ts';
import { inlineSchema, type Json, type TitledSchemas } from './components.ts';
import { exampleOf, recordedCall } from './examples.ts';
import { asResponsesGive, formExample, formInput, jsonInput, pathInput, queryInput, simpleFormOf } from './inputs.ts';

/** What the inputs of operations share. */
interface Shared {
  readonly titled: TitledSchemas;
  /** The fields that are numbers in responses. */
  readonly numbers: ReadonlySet<string>;
}

/** The names of the fields that are numbers in these schemas. */
export function numberFields(schemas: Readonly<Record<string, Json>>): ReadonlySet<string> {
  return new Set(
    Object.values(schemas).flatMap(({ properties }) =>
      Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, field]) =>
        isRecord(field) && isNumber(field) ? [name] : [],
      ),
    ),
  );
}

const isNumber = ({ type, enum: values }: Json): boolean =>
  type === 'integer' || type === 'number' || (Array.isArray(values) && values.every((one) => typeof one === 'number'));

export function parametersOf(operation: Operation, location: 'path' | 'query', { titled, numbers }: Shared): Json[] {
  const stated = location === 'path' ? pathInput : queryInput;
  const schema: ParameterSchema = location === 'path' ? operation.input.params : operation.input.query;
  const examples = recordedCall(operation)?.[location === 'path' ? 'params' : 'query'];
  return Object.entries(schema.entries).map(([name, entry]) => {
    const json = inlineSchema(v.strictObject({ [name]: entry }), titled);
    const { description: text, ...rest } = propertyOf(json, name);
    const required = location === 'path' || (Array.isArray(json.required) && json.required.includes(name));
    return {
      name,
      in: location,
      required,
      ...(text !== undefined && { description: text }),
      schema: asResponsesGive(stated(rest), numbers.has(name)),
      ...exampleOf(meaningOf(rest, examples?.[name])),
    };
  });
}

/** A path and a query carry text, and the schema states what the text means. */
function meaningOf({ type }: Json, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (type === 'boolean') return text === 'true';
  return type === 'integer' ? Number(text) : text;
}

function propertyOf(json: Json, name: string): Json {
  const properties: unknown = json.properties;
  const found: unknown =
    typeof properties === 'object' && properties !== null ? Reflect.get(properties, name) : undefined;
  return typeof found === 'object' && found !== null ? { ...found } : {};
}

const hasInner = (schema: v.GenericSchema): boolean =>
  entriesOf(schema) !== undefined || mapValueOf(schema) !== undefined;

export function requestBody(operation: Operation, titled: TitledSchemas): Json {
  const schema = inlineSchema(operation.input.body, titled);
  const objects = Object.entries(operation.input.body.entries).filter(([, entry]) => hasInner(unwrap(entry)));
  // Without an encoding, clients send `customer` as one string or `email` alone, instead of `customer[email]` and so on.
  const encoding = Object.fromEntries(objects.map(([name]) => [name, { style: 'deepObject', explode: true }]));
  const example = recordedCall(operation)?.body;
  const form = {
    schema: formInput(schema),
    ...(objects.length > 0 && { encoding }),
    ...exampleOf(example && formExample(example)),
    ...simpleFormOf(operation),
  };
  return {
    required: true,
    content: {
      'application/json': { schema: jsonInput(schema), ...exampleOf(example) },
      'application/x-www-form-urlencoded': form,
    },
  };
}
