import * as v from 'valibot';
import type { Outcome } from '../lambda/instance.ts';

const BatchResponse = v.object({
  batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.nonEmpty()) }))),
});

/**
 * The failed items of a batch, as `ReportBatchItemFailures` defines them. A response with an unknown or empty identifier fails
 * the whole batch; an empty response fails no item.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function failedItems(
  outcome: Outcome,
  reportsItemFailures: boolean,
  identifiers: readonly string[],
): readonly string[] {
  if (outcome.kind !== 'result') return identifiers;
  if (!reportsItemFailures) return [];
  const response: unknown = JSON.parse(outcome.payload);
  if (response === null || response === '') return [];
  const parsed = v.safeParse(BatchResponse, response);
  if (!parsed.success) return identifiers;
  const failed = (parsed.output.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((identifier) => identifiers.includes(identifier)) ? failed : identifiers;
}
