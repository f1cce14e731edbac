import * as v from 'valibot';
import { boundsOf, entriesOf, optionsOf, unwrap } from '../../shared/operations/schema-shape.ts';

export interface Boundary {
  readonly param: string;
  readonly value: string;
  readonly allowed: boolean;
}

/** Every boundary of every parameter: the last allowed value and the first refused one. */
export function boundaries(schema: v.GenericSchema): Boundary[] {
  return Object.entries(entriesOf(schema) ?? {}).flatMap(([param, entry]) =>
    edges(unwrap(entry)).map(([value, allowed]) => ({ param, value, allowed })),
  );
}

type Edge = readonly [value: string, allowed: boolean];

function edges(schema: v.GenericSchema): Edge[] {
  switch (schema.type) {
    case 'number':
      return numberEdges(schema);
    case 'string':
      return textEdges(schema);
    case 'boolean':
      return [
        ['true', true],
        ['false', true],
        ['1', true],
        ['0', true],
        ['yes', false],
        ['', false],
      ];
    case 'picklist':
      return [...optionsOf(schema).map((option): Edge => [String(option), true]), ['no-such-value', false]];
    case 'record':
    case 'union':
    case 'array':
    case 'strict_object':
      // One form field cannot express these boundaries. The operations that have such parameters test them by hand.
      return [];
    default:
      throw new Error(`Say what the boundaries of a ${schema.type} are.`);
  }
}

function numberEdges(schema: v.GenericSchema): Edge[] {
  const { min, max } = boundsOf(schema);
  return [
    ...(min === undefined ? [] : [[String(min), true] as const, [String(min - 1), false] as const]),
    ...(max === undefined ? [] : [[String(max), true] as const, [String(BigInt(max) + 1n), false] as const]),
    ['1.5', v.is(schema, 1.5)],
    ['one', false],
    ['', false],
  ];
}

function textEdges(schema: v.GenericSchema): Edge[] {
  const { min, max } = boundsOf(schema);
  // A text with a required format (a date, an email address) is tested by hand, because it refuses every text of x characters.
  if (!v.is(schema, 'x'.repeat(min ?? 0))) return [];
  return [
    ...(min === undefined ? [] : [['x'.repeat(min), true] as const, ['x'.repeat(min - 1), false] as const]),
    ...(max === undefined ? [] : [['x'.repeat(max), true] as const, ['x'.repeat(max + 1), false] as const]),
  ];
}
