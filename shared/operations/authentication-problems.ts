/** What every problem has. */
export type ProblemTypes = Record<string, { status: number; type: ProblemType; meaning: string }>;

export const problemTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'conflict_error',
  'payment_error',
  'rate_limit_error',
  'api_error',
] as const;
type ProblemType = (typeof problemTypes)[number];

/** The problems of API keys and tokens. */
export const authenticationProblems = {
  api_key_missing: { status: 401, type: 'authentication_error', meaning: 'The Authorization header is missing.' },
  api_key_malformed: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The Authorization header does not contain a valid API key: its format or checksum is wrong.',
  },
  api_key_invalid: { status: 401, type: 'authentication_error', meaning: 'The API key does not exist or was revoked.' },
  api_key_expired: { status: 401, type: 'authentication_error', meaning: 'The API key has expired.' },
  link_invalid: {
    status: 401,
    type: 'authentication_error',
    meaning:
      'The link of the ticket is incomplete, or it has ended: after the event, with a refund or with a transfer.',
  },
  secret_key_in_browser: {
    status: 403,
    type: 'permission_error',
    meaning:
      'An API key was sent with an Origin header, so by a web page, where everyone can read it. Nothing was done. Use a storefront token in web pages, and revoke the API key.',
  },
  origin_not_allowed: {
    status: 403,
    type: 'permission_error',
    meaning: 'The storefront token is not valid for pages of this origin.',
  },
  storefront_not_allowed: {
    status: 403,
    type: 'permission_error',
    meaning: 'The operation needs an API key. A storefront token cannot call it.',
  },
  gate_token_not_allowed: {
    status: 403,
    type: 'permission_error',
    meaning: 'The operation needs an API key. A gate token cannot call it.',
  },
  gate_not_allowed: {
    status: 403,
    type: 'permission_error',
    meaning: 'The gate token is not valid for this gate or event.',
  },
  sso_token_missing: { status: 401, type: 'authentication_error', meaning: 'The X-SSO-Token header is missing.' },
  sso_token_invalid: {
    status: 401,
    type: 'authentication_error',
    meaning: 'The SSO token has expired, or no identity provider of the organisation issued it for this service.',
  },
} as const satisfies ProblemTypes;
