import type { APIGatewayProxyEvent } from 'aws-lambda';
import { getHeaderValues } from './headers.ts';
import { type Problem, problem } from './problem.ts';

const versionPattern = /^"([0-9]{1,15})"$/;

/** The version that the object must still have. Undefined without the header, and for `*`, which every version matches. */
export function readIfMatch(event: APIGatewayProxyEvent): number | undefined {
  const values = getHeaderValues(event, 'if-match');
  const sent = values.join(', ').trim();
  // An empty header is a version that the caller has lost: without it, the change would be made in any case.
  if (values.length === 0 || sent === '*') return undefined;
  const [, version] = versionPattern.exec(sent) ?? [];
  if (version !== undefined) return Number(version);
  const message = 'The If-Match header must be the `version` of the object in double quotes, such as If-Match: "3".';
  throw problem('parameter_invalid', message, { param: 'If-Match' });
}

/** Somebody has changed the object since the caller read it. */
export function versionConflict(what: string, current: number): Problem {
  const message = `The ${what} has changed: its version is ${current} now. Nothing was changed. Retrieve it, and send the change again with its version.`;
  return problem('version_conflict', message, { param: 'If-Match' });
}
