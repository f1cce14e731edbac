/** Why a command failed, in words for the operator. Anything else that is thrown is a fault. */
export class AdminFailure extends Error {
  readonly code: string;
  readonly exitCode: 1 | 2;
  /** The argument that is wrong, as the help names it. */
  readonly argument: string | undefined;

  constructor(code: string, message: string, { exitCode, argument }: { exitCode: 1 | 2; argument?: string }) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.argument = argument;
  }
}

/** The command line is wrong. Nothing was done. */
export function usageError(message: string, argument?: string): AdminFailure {
  return new AdminFailure('usage_error', message, { exitCode: 2, ...(argument === undefined ? {} : { argument }) });
}

/** The command line is right, but the command cannot be completed. */
export function refusal(code: string, message: string): AdminFailure {
  return new AdminFailure(code, message, { exitCode: 1 });
}

export function organisationMissing(orgId: string): AdminFailure {
  return refusal('organisation_missing', `There is no organisation ${orgId}.`);
}

/** Turns any error into a failure, with advice for the AWS errors that operators meet. */
export function failureOf(error: unknown): AdminFailure {
  if (error instanceof AdminFailure) return error;
  if (!(error instanceof Error)) return refusal('failed', String(error));
  switch (error.name) {
    case 'CredentialsProviderError':
      return refusal('credentials_missing', 'No AWS credentials found. Sign in (aws sso login) or set AWS_PROFILE.');
    case 'ExpiredTokenException':
    case 'ExpiredToken':
      return refusal('credentials_expired', 'The AWS session has expired. Sign in again (aws sso login).');
    case 'AccessDeniedException':
    case 'AccessDenied':
      return refusal('access_denied', error.message);
    case 'ResourceNotFoundException':
      return refusal('table_missing', 'The table does not exist in this account and region.');
  }
  if (error.message === 'Region is missing')
    return refusal('region_missing', 'No AWS region is set. Set AWS_REGION, or add --local for the local run.');
  return refusal('failed', error.message);
}
