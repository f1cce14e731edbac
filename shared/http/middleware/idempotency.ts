import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { type Claim, claimRequest, keepAnswer, receiptOf, releaseClaim } from '../../data/idempotency/receipts.ts';
import type { Table } from '../../data/table/table.ts';
import { SideEffectsRefused, type TransactItem } from '../../data/table/transact.ts';
import type { Operation } from '../../operations/operation.ts';
import { problemCodes } from '../../operations/problems.ts';
import { reasonOf } from '../../platform/failure-reason.ts';
import { log } from '../../platform/log.ts';
import { asProblem } from '../as-problem.ts';
import { headerOf } from '../headers.ts';
import { Problem, problem } from '../problem.ts';
import { requestContextOf } from '../request-context.ts';

/**
 * What a handler adds to its transaction, so that the answer is kept exactly when the change is made. Whoever asks for it
 * must write it. Empty when the caller gave no Idempotency-Key.
 */
export type Receipt = (output: unknown) => readonly TransactItem[];

const headerName = 'Idempotency-Key';

/** Does a POST at most once for each Idempotency-Key, and gives the first answer again to whoever repeats it. */
export async function withIdempotency(
  operation: Operation,
  { event, table, nowUnix }: { event: APIGatewayProxyEvent; table: Table; nowUnix: number },
  handle: (receipt: Receipt) => Promise<unknown>,
): Promise<unknown> {
  const key = operation.method === 'POST' ? headerOf(event, headerName.toLowerCase()) : undefined;
  const { caller, input } = requestContextOf(event);
  if (key === undefined || caller === undefined) return handle(() => []);
  if (!keyPattern.test(key)) {
    throw problem('parameter_invalid', `The ${headerName} header must be 1 to 255 printable ASCII characters.`, {
      param: headerName,
    });
  }
  const { params, query, body } = input ?? {};
  const request = { orgId: caller.orgId, key, operation: operation.id, params, content: [query, body] };
  const claimed = await claimRequest(table, request, nowUnix);
  switch (claimed.outcome) {
    case 'mine':
      return doIt(operation, table, claimed.claim, handle);
    case 'answered':
      requestContextOf(event).isRepeat = true;
      return answerOf(claimed.answer);
    case 'mismatch':
      throw problem(
        'idempotency_mismatch',
        `This ${headerName} was already used with different parameters. Use a new key for a new request.`,
        { param: headerName },
      );
    case 'in_progress':
      throw inProgress();
  }
}

const keyPattern = /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/;

async function doIt(
  operation: Operation,
  table: Table,
  claim: Claim,
  handle: (receipt: Receipt) => Promise<unknown>,
): Promise<unknown> {
  const keep = (output: unknown): string => JSON.stringify({ output: withoutSecrets(operation, output) });
  let isReceiptTaken = false;
  const receipt: Receipt = (output) => {
    isReceiptTaken = true;
    return [receiptOf(table, claim, keep(output))];
  };
  try {
    const output = await handle(receipt);
    if (!isReceiptTaken) await settled(keepAnswer(table, claim, keep(output)));
    return output;
  } catch (error) {
    if (error instanceof SideEffectsRefused) throw inProgress();
    const found = asProblem(error);
    await settled(
      isKept(found) ? keepAnswer(table, claim, JSON.stringify({ problem: found.details })) : releaseClaim(table, claim),
    );
    throw error;
  }
}

/** Waiting or trying again may help with these, so a repeat is done anew. */
function isKept({ status }: Problem): boolean {
  return status < 500 && status !== 409 && status !== 429;
}

/** The request itself is done. A record that cannot be written now costs a repeat a wait, not the caller the answer. */
async function settled(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    log.warn('The response for an Idempotency-Key was not stored', reasonOf(error));
  }
}

/** What is shown once is not kept: the repeat says null in its place. */
function withoutSecrets({ output: { shownOnce } }: Operation, output: unknown): unknown {
  if (shownOnce.length === 0 || typeof output !== 'object' || output === null) return output;
  return { ...output, ...Object.fromEntries(shownOnce.map((field) => [field, null])) };
}

const Detail = v.object({ code: v.picklist(problemCodes), message: v.string(), param: v.nullable(v.string()) });
const Kept = v.union([
  v.strictObject({ output: v.unknown() }),
  v.strictObject({ problem: v.tupleWithRest([Detail], Detail) }),
]);

function answerOf(answer: string): unknown {
  const kept = v.parse(Kept, JSON.parse(answer));
  if ('problem' in kept) throw new Problem(kept.problem);
  return kept.output;
}

function inProgress(): Problem {
  return problem(
    'idempotency_in_progress',
    `The first request with this ${headerName} is still in progress. Try again in a moment.`,
    { param: headerName, retryAfterSeconds: 1 },
  );
}
