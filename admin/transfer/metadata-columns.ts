import * as v from 'valibot';
import { isReservedName, type MetadataRefused, metadataKeyPattern } from '../../shared/domain/metadata.ts';
import { isRecord } from '../../shared/operations/schema-shape.ts';
import type { Value } from './cells.ts';

/** The column of a pair: `metadata.crm_id`. A file has as many as it has keys (ADR 82). */
const prefix = 'metadata.';

/** The entry of a dataset whose rows have metadata. The limits are judged on what the resource has after the row. */
export const metadataPairs = v.optional(v.record(v.string(), v.nullable(v.string('must be text'))));

/** What a row says of the metadata of its resource. Columns that the file does not have leave their keys alone. */
export type MetadataPairs = v.InferOutput<typeof metadataPairs>;

const columnOf = (key: string): string => `${prefix}${key}`;

export function isMetadataColumn(name: string): boolean {
  const key = name.slice(prefix.length);
  return name.startsWith(prefix) && metadataKeyPattern.test(key) && !isReservedName(key);
}

/** The columns of pairs as one field. */
export function withPairs(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(given);
  const pairs = entries.filter(([name, value]) => isMetadataColumn(name) && value !== undefined);
  if (pairs.length === 0) return given;
  const others = entries.filter(([name]) => !isMetadataColumn(name));
  const metadata = pairs.map(([name, value]) => [name.slice(prefix.length), value]);
  return { ...Object.fromEntries(others), metadata: Object.fromEntries(metadata) };
}

/** The row as a file has it: a column for each pair, and none for a resource without metadata. */
export function withColumns({
  metadata,
  ...row
}: Readonly<Record<string, Value | MetadataPairs>>): Readonly<Record<string, Value>> {
  const pairs = isRecord(metadata) ? Object.entries(metadata) : [];
  const cells: Record<string, Value> = {};
  for (const [name, value] of Object.entries(row)) if (isValue(value)) cells[name] = value;
  for (const [key, value] of pairs) if (typeof value === 'string') cells[columnOf(key)] = value;
  return cells;
}

const isValue = (value: Value | MetadataPairs): value is Value =>
  value === null || Array.isArray(value) || typeof value !== 'object';

/** Whether a resource has these pairs already. An empty cell deletes the key, as in a form. */
export function hasPairs(known: unknown, pairs: unknown): boolean {
  const current = isRecord(known) ? known : {};
  return !isRecord(pairs) || Object.entries(pairs).every(([key, value]) => (current[key] ?? '') === (value ?? ''));
}

interface Columns {
  readonly columns: readonly string[];
  readonly hasMetadata: boolean;
}

/** The columns of a dataset, for the operator. */
export const columnsText = ({ columns, hasMetadata }: Columns): string =>
  [...columns, ...(hasMetadata ? [columnOf('<key>')] : [])].join(', ');

/** Why a row was refused, in the words of a file. */
export function refusalOfPairs({ param, problem }: MetadataRefused): string {
  return `${param.replace(/^metadata\[(.*)\]$/, (_, key: string) => columnOf(key))} ${problem}`;
}
