import type * as v from 'valibot';
import {
  entriesOf,
  isInteger,
  isRecord,
  itemOf,
  mapValueOf,
  optionsOf,
  unwrap,
} from '../../operations/schema-shape.ts';

/**
 * Converts text from a path, a query or a form to the types of the schema. A value that cannot be converted stays a text, and
 * the schema rejects it. Schemas contain only target types, because a transform cannot be shown in the OpenAPI document.
 */
export function coerceText(schema: v.GenericSchema, value: unknown, emptyMeans: 'null' | 'text'): unknown {
  const target = unwrap(schema);
  const entries = entriesOf(target);
  if (entries !== undefined && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => {
        const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
        return [name, entry === undefined ? field : coerceText(entry, field, emptyMeans)];
      }),
    );
  }
  const valueSchema = mapValueOf(target);
  if (valueSchema !== undefined && isRecord(value)) {
    const fields = Object.entries(value).map(([name, field]) => [name, coerceText(valueSchema, field, emptyMeans)]);
    return Object.fromEntries(fields);
  }
  const item = itemOf(target);
  if (item !== undefined && value !== '') {
    // A form with one value of a list sends the value without the list around it.
    return (Array.isArray(value) ? value : [value]).map((element) => coerceText(item, element, emptyMeans));
  }
  if (typeof value !== 'string') return value;
  if (value === '' && emptyMeans === 'null') return null;
  return fromText(target, value);
}

const integerPattern = /^-?\d{1,16}$/;
const decimalPattern = /^-?\d{1,16}(\.\d{1,16})?$/;
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };

function fromText(target: v.GenericSchema, text: string): unknown {
  switch (target.type) {
    case 'number':
      return (isInteger(target) ? integerPattern : decimalPattern).test(text) ? Number(text) : text;
    case 'boolean':
      return Object.hasOwn(booleans, text) ? booleans[text] : text;
    case 'picklist':
      return optionsOf(target).find((option) => String(option) === text) ?? text;
    default:
      return text;
  }
}
