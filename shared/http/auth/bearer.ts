import type { APIGatewayProxyEvent } from 'aws-lambda';
import { getHeader } from '../headers.ts';
import { type Problem, problem } from '../problem.ts';

/** The API key or gate token in the Authorization header, not yet parsed; empty when the header is malformed. */
export function readBearerToken(event: APIGatewayProxyEvent): string {
  const header = getHeader(event, 'authorization');
  if (header === undefined) {
    throw problem('api_key_missing', 'No API key. Send it in the Authorization header, as: Bearer <API_KEY>.');
  }
  const [, text = ''] = /^Bearer +(\S+) *$/i.exec(header) ?? [];
  if (countAuthorizationHeaders(event) > 1) throw malformedKey();
  return text;
}

export function malformedKey(): Problem {
  return problem(
    'api_key_malformed',
    'The Authorization header does not contain a valid API key. Send Bearer gl_live_… or Bearer gl_test_…, with the complete key.',
  );
}

/** A request with two keys is ambiguous. */
function countAuthorizationHeaders({ multiValueHeaders }: APIGatewayProxyEvent): number {
  return Object.entries(multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, values]) => values ?? []).length;
}
