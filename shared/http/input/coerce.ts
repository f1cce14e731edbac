import type * as v from 'valibot';
import { entriesOf, isRecord, itemOf, optionsOf, unwrap } from '../../operations/schema-shape.ts';

/**
 * Text from a path, a query or a form, in the types that the schema asks for. What cannot be read stays as it is, for the
 * schema to refuse: schemas hold only target types, because a transform would keep them out of the OpenAPI document.
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
  const item = itemOf(target);
  if (item !== undefined && value !== '') {
    // One value of a list that may have several arrives without the list around it.
    return (Array.isArray(value) ? value : [value]).map((element) => coerceText(item, element, emptyMeans));
  }
  if (typeof value !== 'string') return value;
  if (value === '' && emptyMeans === 'null') return null;
  return fromText(target, value);
}

const integerPattern = /^-?\d{1,16}$/;
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };

function fromText(target: v.GenericSchema, text: string): unknown {
  switch (target.type) {
    case 'number':
      return integerPattern.test(text) ? Number(text) : text;
    case 'boolean':
      return Object.hasOwn(booleans, text) ? booleans[text] : text;
    case 'picklist':
      return optionsOf(target).find((option) => String(option) === text) ?? text;
    default:
      return text;
  }
}
