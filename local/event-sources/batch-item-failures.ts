import * as v from 'valibot';
import type { Outcome } from '../lambda/instance.ts';

const BatchResponse = v.object({
  batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.nonEmpty()) }))),
});

/**
 * Which items of a batch failed, as `ReportBatchItemFailures` defines it. An answer that names an item that is not in the
 * batch, or none by an empty name, fails the whole batch; an empty answer fails none of it.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function failedItems(
  outcome: Outcome,
  reportsItemFailures: boolean,
  identifiers: readonly string[],
): readonly string[] {
  if (outcome.kind !== 'result') return identifiers;
  if (!reportsItemFailures) return [];
  const answer: unknown = JSON.parse(outcome.payload);
  if (answer === null || answer === '') return [];
  const parsed = v.safeParse(BatchResponse, answer);
  if (!parsed.success) return identifiers;
  const failed = (parsed.output.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((identifier) => identifiers.includes(identifier)) ? failed : identifiers;
}
