import type { ValueKind } from '../arguments.ts';
import { type Format, formats } from '../transfer/source.ts';
import { oneOf } from './values.ts';

export const fileName: ValueKind<string> = {
  allowed: 'the name of a file',
  parse: (text) => (text === '' || text.includes('\u0000') ? undefined : text),
};

export const formatName: ValueKind<Format> = oneOf(formats);
