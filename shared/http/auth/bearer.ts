import type { APIGatewayProxyEvent } from 'aws-lambda';
import { getHeader } from '../headers.ts';
import { type Problem, problem } from '../problem.ts';

/** What the header Authorization brings: a key or a token, as far as its text can tell. */
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

/** Of two keys nobody can say which one is meant. */
function countAuthorizationHeaders({ multiValueHeaders }: APIGatewayProxyEvent): number {
  return Object.entries(multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, values]) => values ?? []).length;
}
