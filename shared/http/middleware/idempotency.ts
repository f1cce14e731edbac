import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { type Claim, claimRequest, receiptItem, releaseClaim, storeResponse } from '../../data/idempotency/receipts.ts';
import type { Table } from '../../data/table/table.ts';
import { SideEffectsRefused, type TransactItem } from '../../data/table/transact.ts';
import type { Operation } from '../../operations/operation.ts';
import { problemCodes } from '../../operations/problems.ts';
import { IdempotencyKey } from '../../operations/schemas/idempotency-key.ts';
import { reasonOf } from '../../platform/failure-reason.ts';
import { log } from '../../platform/log.ts';
import { claimedFan } from '../auth/claimed-fan.ts';
import { getHeaderValues, getSsoToken } from '../headers.ts';
import { Problem, problem } from '../problem.ts';
import { type Caller, getRequestContext } from '../request-context.ts';
import { toProblem } from '../to-problem.ts';

/**
 * A handler adds these items to its transaction, so the response is stored exactly when the change is made. A handler
 * that calls this function must write the items. Empty when the request has no Idempotency-Key.
 */
export type Receipt = (output: unknown) => readonly TransactItem[];

const idempotencyHeader = 'Idempotency-Key';

/** Runs a POST at most once for each Idempotency-Key. A repeated request gets the stored response of the first one. */
export async function withIdempotency(
  operation: Operation,
  { event, table, nowUnix }: { event: APIGatewayProxyEvent; table: Table; nowUnix: number },
  handle: (receipt: Receipt) => Promise<unknown>,
): Promise<unknown> {
  const { caller, input, formTokens } = getRequestContext(event);
  const inForm = formTokens?.idempotencyKey ?? [];
  const sent = [...getHeaderValues(event, idempotencyHeader.toLowerCase()), ...inForm];
  const [key, ...others] = operation.method === 'POST' ? sent : [];
  if (key === undefined || caller === undefined) return handle(() => []);
  if (others.length > 0) {
    throw problem('parameter_repeated', `The ${idempotencyHeader} header was sent more than once. Send it once.`, {
      param: idempotencyHeader,
    });
  }
  if (!v.is(IdempotencyKey, key)) {
    throw problem('parameter_invalid', `The ${idempotencyHeader} header must be 1 to 255 printable ASCII characters.`, {
      param: idempotencyHeader,
    });
  }
  const { params, query, body } = input ?? {};
  const basketToken = basketTokenOf(caller);
  const scope = basketToken === undefined ? params : { basketToken, params };
  const content = [query, body, ...fansOf(operation, event)];
  const request = { orgId: caller.orgId, key, operation: operation.id, params: scope, content };
  const claimed = await claimRequest(table, request, nowUnix);
  switch (claimed.outcome) {
    case 'claimed':
      return runClaimed(operation, table, claimed.claim, handle);
    case 'completed':
      getRequestContext(event).isReplayed = true;
      return restoreResponse(claimed.response);
    case 'mismatch':
      throw problem(
        'idempotency_mismatch',
        `This ${idempotencyHeader} was already used with different parameters. Use a new key for a new request.`,
        { param: idempotencyHeader },
      );
    case 'in_progress':
      throw stillInProgress();
  }
}

/** The fan is part of a request: a stored response is shown before the token is verified, so it must not be that of another one. */
function fansOf({ auth }: Operation, event: APIGatewayProxyEvent): readonly string[] {
  const token = auth.ssoUser === undefined ? undefined : getSsoToken(event);
  return token === undefined ? [] : [claimedFan(token)];
}

/**
 * All buyers of a shop share its storefront token, so a key of theirs belongs to the basket whose token they have. Without a
 * basket, one buyer could receive the response of another.
 */
function basketTokenOf({ storefront }: Caller): string | undefined {
  if (storefront === undefined) return undefined;
  const { basketToken } = storefront;
  if (basketToken !== undefined) return basketToken;
  throw problem(
    'parameter_unknown',
    `The ${idempotencyHeader} header cannot be used with a storefront token for this operation, because all buyers share the token.`,
    { param: idempotencyHeader },
  );
}

async function runClaimed(
  operation: Operation,
  table: Table,
  claim: Claim,
  handle: (receipt: Receipt) => Promise<unknown>,
): Promise<unknown> {
  const serializeOutput = (output: unknown): string => JSON.stringify({ output: withoutSecrets(operation, output) });
  let isReceiptTaken = false;
  const receipt: Receipt = (output) => {
    isReceiptTaken = true;
    return [receiptItem(table, claim, serializeOutput(output))];
  };
  try {
    const output = await handle(receipt);
    if (!operation.output.isStored) await warnOnFailure(releaseClaim(table, claim));
    else if (!isReceiptTaken) await warnOnFailure(storeResponse(table, claim, serializeOutput(output)));
    return output;
  } catch (error) {
    if (error instanceof SideEffectsRefused) throw stillInProgress();
    const failure = toProblem(error);
    await warnOnFailure(
      isStored(failure)
        ? storeResponse(table, claim, JSON.stringify({ problem: failure.details }))
        : releaseClaim(table, claim),
    );
    throw error;
  }
}

/**
 * Only what a repeat must get is stored. A retry may succeed after a conflict, a rate limit, a server error or an action of the buyer,
 * with a new token of the fan (401) and with what the caller may do by then (403): a repeat runs again.
 */
function isStored({ status, code }: Problem): boolean {
  return status < 500 && ![401, 403, 409, 429].includes(status) && code !== 'payment_action_required';
}

/** The change itself is made. When its receipt cannot be written, a repeat has to wait, but this caller gets the response. */
async function warnOnFailure(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    log.warn('The response for an Idempotency-Key was not stored', reasonOf(error));
  }
}

/** A secret that is shown once is not stored: the repeated response contains null instead. */
function withoutSecrets({ output: { shownOnce } }: Operation, output: unknown): unknown {
  if (shownOnce.length === 0 || typeof output !== 'object' || output === null) return output;
  return { ...output, ...Object.fromEntries(shownOnce.map((field) => [field, null])) };
}

const Detail = v.object({ code: v.picklist(problemCodes), message: v.string(), param: v.nullable(v.string()) });
const StoredResponse = v.union([
  v.strictObject({ output: v.unknown() }),
  v.strictObject({ problem: v.tupleWithRest([Detail], Detail) }),
]);

function restoreResponse(text: string): unknown {
  const stored = v.parse(StoredResponse, JSON.parse(text));
  if ('problem' in stored) throw new Problem(stored.problem);
  return stored.output;
}

function stillInProgress(): Problem {
  return problem(
    'idempotency_in_progress',
    `The first request with this ${idempotencyHeader} is still in progress. Try again in a moment.`,
    { param: idempotencyHeader, retryAfterSeconds: 1 },
  );
}
