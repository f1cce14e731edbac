import { AdminFailure, refusal } from './failure.ts';

/** AWS's own words are for programmers. For the faults that operators meet there are better ones. */
export function failureOf(error: unknown): AdminFailure {
  if (error instanceof AdminFailure) return error;
  if (!(error instanceof Error)) return refusal('failed', String(error));
  switch (error.name) {
    case 'CredentialsProviderError':
      return refusal(
        'credentials_missing',
        'No AWS credentials were found. Sign in (aws sso login) or set AWS_PROFILE.',
      );
    case 'ExpiredTokenException':
    case 'ExpiredToken':
      return refusal('credentials_expired', 'The AWS session has expired. Sign in again (aws sso login).');
    case 'AccessDeniedException':
    case 'AccessDenied':
      return refusal('access_denied', error.message);
    case 'ResourceNotFoundException':
      return refusal('table_missing', 'The table does not exist in this account and region.');
  }
  if (error.message === 'Region is missing') return refusal('region_missing', 'No AWS region is set. Set AWS_REGION.');
  return refusal('failed', error.message);
}
