import { CloudError } from '../cloud/cloud-error.ts';
import { compileEventPattern } from '../eventbridge/event-pattern.ts';
import { isRecord } from '../template/intrinsics.ts';

/** Tells whether a record reaches the function. What it turns away is done with, as if it had been handled. */
export type RecordFilter = (record: unknown) => boolean;

/** A mapping's filters: one of them has to match. None at all lets everything through. */
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

/** A queue's filter sees into a body that is JSON; any other body it sees as text. */
export function withParsedBody(record: Record<string, unknown>): unknown {
  if (typeof record.body !== 'string') return record;
  try {
    const body: unknown = JSON.parse(record.body);
    return isRecord(body) ? { ...record, body } : record;
  } catch {
    return record;
  }
}
