import { extname } from 'node:path';
import { usageError } from '../failure.ts';

export const formats = ['csv', 'ndjson'] as const;
export type Format = (typeof formats)[number];

/** The file name that means stdin or stdout. */
export const streamName = '-';

const extensions: Readonly<Record<string, Format>> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

export function formatOf(file: string, chosen: Format | undefined): Format {
  const format = chosen ?? (file === streamName ? 'ndjson' : extensions[extname(file).toLowerCase()]);
  if (format !== undefined) return format;
  throw usageError(`The name of ${file} does not show its format: give --format csv or --format ndjson.`, '<file>');
}
