import { CloudError } from '../cloud-error.ts';
import { compileEventPattern } from '../eventbridge/event-pattern.ts';
import { isRecord } from '../template/intrinsics.ts';

/** Whether a record reaches the function. A record that does not match counts as handled. */
export type RecordFilter = (record: unknown) => boolean;

/** The filters of a mapping. One of them must match; without filters, every record matches. */
export function compileFilter(patterns: readonly string[], logicalId: string): RecordFilter {
  const matchers = patterns.map((text) => {
    try {
      return compileEventPattern(JSON.parse(text));
    } catch (error) {
      throw new CloudError(
        `The filter of event source ${logicalId}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  });
  return (record) => matchers.length === 0 || matchers.some((matches) => matches(record));
}

/** A filter of a queue matches the fields of a JSON body; any other body is a string. */
export function withParsedBody(record: Record<string, unknown>): unknown {
  if (typeof record.body !== 'string') return record;
  try {
    const body: unknown = JSON.parse(record.body);
    return isRecord(body) ? { ...record, body } : record;
  } catch {
    return record;
  }
}
