import type * as v from 'valibot';
import { optionsOf, unwrap } from '../../shared/operations/schema-shape.ts';

/** In a CSV cell, a list is written as JSON. */
export type Value = string | number | boolean | null | readonly unknown[];

const numberPattern = /^-?\d{1,16}(\.\d{1,16})?$/;
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };

/**
 * Converts the text of a CSV cell to the type of its column. An empty cell is null, as in the API's forms. A text that
 * cannot be converted stays text, and the schema rejects it.
 */
export function fromCell(schema: v.GenericSchema, text: string): Value {
  if (text === '') return null;
  const target = unwrap(schema);
  const trimmed = text.trim();
  switch (target.type) {
    case 'number':
      return numberPattern.test(trimmed) ? Number(trimmed) : text;
    case 'boolean':
      // Spreadsheets write TRUE and FALSE.
      return booleans[trimmed.toLowerCase()] ?? text;
    case 'picklist': {
      const option = optionsOf(target).find((candidate) => String(candidate) === trimmed);
      return typeof option === 'number' ? option : trimmed;
    }
    case 'array':
      return fromJson(trimmed);
    default:
      return text;
  }
}

function fromJson(text: string): Value {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : text;
  } catch {
    return text;
  }
}
