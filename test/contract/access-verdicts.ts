import type { Operation } from '../../shared/operations/operation.ts';

/** What a caller of the access matrix got. */
export interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
}

/** Whether the caller may get that answer. */
export type Verdict = (answer: Answer) => boolean;

export const isRefused =
  (status: number, ...codes: readonly string[]): Verdict =>
  (answer) =>
    answer.status === status && codes.includes(answer.code ?? '');

/** It is answered, or gets as far as the signature of a pass, for which this test has no account. */
export const succeeds =
  ({ output }: Operation): Verdict =>
  (answer) =>
    answer.status === output.status || isRefused(409, 'wallet_not_configured')(answer);

export const isPublic = ({ auth }: Operation): boolean => auth.kind === 'public';

/** An object of another organisation looks like a missing one; a list shows one's own, an SSO list nothing. */
export const seesNothingOf =
  (orgId: string, operation: Operation): Verdict =>
  (answer) => {
    if (answer.status >= 500 || answer.text.includes(orgId)) return false;
    const hasPath = Object.keys(operation.input.params.entries).length > 0;
    const isMissing = isRefused(404, 'resource_not_found')(answer);
    if (hasPath && (isMissing || operation.auth.ssoUser !== 'linked')) return isMissing;
    return answer.status === operation.output.status || isRefused(400, 'resource_missing')(answer);
  };
