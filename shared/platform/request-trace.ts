/** The requests that a row or a message belongs to. Rows from before these fields have neither. */
export interface RequestTrace {
  /** The API request that caused the event: the Request-Id of its response. For a change by an operator, the run of the CLI. */
  readonly requestId?: string | undefined;
  /** The API request that asked for the delivery again: a redelivery or a replay. */
  readonly redeliveryRequestId?: string | undefined;
}

/** Only the ids of the requests, to pass them on. */
export function traceOf({ requestId, redeliveryRequestId }: RequestTrace) {
  return { requestId, redeliveryRequestId };
}

/** The log fields by which all entries of a request are found. */
export function traceFields({ requestId, redeliveryRequestId }: RequestTrace) {
  return { api_request_id: requestId, redelivery_request_id: redeliveryRequestId };
}

const maxIds = 20;

/** The log fields of work that several requests caused together: the id if it is one request, otherwise the first ids. */
export function jointTraceFields(requestIds: readonly (string | undefined)[]) {
  const ids = [...new Set(requestIds.filter((id) => id !== undefined))];
  return ids.length > 1 ? { api_request_ids: ids.slice(0, maxIds) } : traceFields({ requestId: ids[0] });
}
