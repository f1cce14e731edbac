import type { LoggedRequest as Row } from '../data/requests/row.ts';
import type { LoggedRequest } from '../operations/schemas/logged-request.ts';

export function loggedRequest(row: Row): LoggedRequest {
  return {
    request_id: row.requestId,
    at: row.answeredUnix,
    operation_id: row.operationId,
    key_id: row.keyId,
    status: row.status,
    error_code: row.errorCode,
    duration_ms: row.durationMs,
  };
}
