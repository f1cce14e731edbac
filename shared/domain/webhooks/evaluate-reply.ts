/** The result of one POST to an endpoint. */
export type Reply =
  | { readonly kind: 'answer'; readonly status: number }
  | { readonly kind: 'timeout'; readonly during: 'connecting' | 'answering' }
  | { readonly kind: 'forbidden'; readonly reason: string }
  /** The connection failed, with the code that the network or TLS gave. */
  | { readonly kind: 'failure'; readonly code: string };

export interface ReplyEvaluation {
  readonly outcome: 'delivered' | 'failed' | 'timeout' | 'gone';
  /** For the people who read the delivery log. */
  readonly message: string;
}

/** The service specification accepts only 200 as an acknowledgement. */
export function evaluateReply(reply: Reply): ReplyEvaluation {
  switch (reply.kind) {
    case 'answer':
      return evaluateStatus(reply.status);
    case 'timeout':
      return {
        outcome: 'timeout',
        message: reply.during === 'connecting' ? 'No connection within 3 seconds.' : 'No response within 15 seconds.',
      };
    case 'forbidden':
      return { outcome: 'failed', message: `Not sent: ${reply.reason}` };
    case 'failure':
      return { outcome: 'failed', message: failureMessage(reply.code) };
  }
}

function evaluateStatus(status: number): ReplyEvaluation {
  if (status === 200) return { outcome: 'delivered', message: 'Acknowledged.' };
  if (status === 410) return { outcome: 'gone', message: 'The endpoint returned 410 Gone and was disabled.' };
  if (status >= 300 && status < 400) {
    return { outcome: 'failed', message: `The endpoint returned ${status}. Redirects are not followed.` };
  }
  return { outcome: 'failed', message: `The endpoint returned ${status}. Only 200 acknowledges an event.` };
}

const failureMessages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response.',
  EPIPE: 'The connection was closed before a response.',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: 'The network of the host is unreachable.',
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The TLS certificate was not issued by a trusted authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The endpoint does not send its intermediate TLS certificates.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The TLS certificate was not issued by a trusted authority.',
  HPE_HEADER_OVERFLOW: 'The response headers are too large.',
};

function failureMessage(code: string): string {
  if (failureMessages[code] !== undefined) return failureMessages[code];
  if (code.startsWith('HPE_')) return 'The response is not HTTP.';
  if (/SSL|TLS|CERT/.test(code)) return `The TLS connection failed (${code}).`;
  return `The request failed (${code}).`;
}
