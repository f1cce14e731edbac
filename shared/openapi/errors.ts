import * as v from 'valibot';
import { preparePayment } from '../operations/baskets/prepare-payment.ts';
import { ErrorEnvelope } from '../operations/error-envelope.ts';
import { type Operation, readsBody } from '../operations/operation.ts';
import { type ProblemCode, problemCodes, problems } from '../operations/problems.ts';
import { alternativesOf, entriesOf, isRecord, itemOf, unwrap } from '../operations/schema-shape.ts';
import { type Payment, PreparedPayment } from '../operations/schemas/payment.ts';
import { inlineSchema, type Json, type TitledSchemas } from './components.ts';
import { recordedCall } from './examples.ts';
import { headersWith } from './headers.ts';
import { pascalCase } from './operation-names.ts';

/** The error codes of an operation: its own, and those that follow from its authentication and its input. */
function problemsOf(operation: Operation): readonly ProblemCode[] {
  const { auth, input, output } = operation;
  const hasPath = Object.keys(input.params.entries).length > 0;
  const hasRequired = hasRequiredEntry(input.body) || hasRequiredEntry(input.query);
  const codes = new Set<ProblemCode>([
    ...output.problems,
    ...always,
    ...(hasRequired || Object.keys(input.queryDependencies.requires).length > 0
      ? (['parameter_missing'] as const)
      : []),
    ...(input.queryDependencies.excludes.length > 0 ? (['parameter_conflict'] as const) : []),
    ...(readsBody(operation) ? (['body_invalid', 'body_too_large', 'content_type_unsupported'] as const) : []),
    ...callerProblems(operation),
    ...(auth.kind === 'metered' ? (['rate_limit_exceeded'] as const) : []),
    ...(auth.ssoUser ? ssoProblems[auth.ssoUser] : []),
    ...(auth.ticketLink ? (['link_invalid'] as const) : []),
    // A path with an empty parameter, or with dots, is another path. For SSO operations, an object of someone else looks empty.
    ...(hasPath ? (['route_not_found'] as const) : []),
    ...(hasPath && auth.ssoUser !== 'linked' ? (['resource_not_found'] as const) : []),
    ...headerProblems(operation),
  ]);
  return problemCodes.filter((code) => codes.has(code));
}

/** The problems of the key or token, and of one that is not for the operation. */
function callerProblems({ auth }: Operation): readonly ProblemCode[] {
  if (auth.kind === 'public') return [];
  return [
    ...keyProblems,
    auth.storefront ? 'origin_not_allowed' : 'storefront_not_allowed',
    ...(auth.gates ? [] : (['gate_token_not_allowed'] as const)),
  ];
}

/** The problems of the headers that the operation reads. */
function headerProblems({ input, method }: Operation): readonly ProblemCode[] {
  return [
    ...(input.ifMatch ? (['version_conflict'] as const) : []),
    ...(method === 'POST' ? (['idempotency_mismatch', 'idempotency_in_progress'] as const) : []),
  ];
}

const always = [
  'parameter_unknown',
  'parameter_invalid',
  'parameter_repeated',
  'throttled',
  'internal_error',
  'dependency_unavailable',
] as const;
const keyProblems = [
  'api_key_missing',
  'api_key_malformed',
  'api_key_invalid',
  'api_key_expired',
  'scope_missing',
  'secret_key_in_browser',
] as const;
const ssoProblems = {
  linked: ['sso_token_missing', 'sso_token_invalid', 'sso_user_not_linked'],
  signed_in: ['sso_token_missing', 'sso_token_invalid'],
  optional: ['sso_token_invalid'],
  linked_on_pages: ['sso_token_missing', 'sso_token_invalid', 'sso_user_not_linked'],
} as const;

function hasRequiredEntry(schema: v.GenericSchema): boolean {
  const target = unwrap(schema);
  const entries = Object.values(entriesOf(target) ?? {});
  const item = itemOf(target);
  const inner = [...entries, ...alternativesOf(target), ...(item === undefined ? [] : [item])];
  return entries.some((entry) => entry.type !== 'optional') || inner.some(hasRequiredEntry);
}

/**
 * The codes of a status that need no component of their own: those of most operations. A response with these codes is shared, and
 * any other belongs to one operation, so that its name does not change when another operation gets the same codes.
 */
const sharedCodes: Readonly<Record<number, readonly ProblemCode[]>> = {
  400: ['parameter_unknown', 'parameter_invalid', 'parameter_repeated'],
  401: ['api_key_missing', 'api_key_malformed', 'api_key_invalid', 'api_key_expired'],
  403: ['secret_key_in_browser', 'storefront_not_allowed', 'gate_token_not_allowed', 'scope_missing'],
  404: ['resource_not_found', 'route_not_found'],
  409: ['idempotency_mismatch', 'idempotency_in_progress'],
  412: ['version_conflict'],
  413: ['body_too_large'],
  415: ['content_type_unsupported'],
  429: ['rate_limit_exceeded', 'throttled'],
  500: ['internal_error'],
  503: ['dependency_unavailable'],
};

interface ErrorResponse {
  readonly status: number;
  /** The operation, unless the response is shared. */
  readonly operation: Operation | undefined;
  readonly codes: readonly ProblemCode[];
  readonly description: string;
}

/** All error responses of an operation, one for each status. */
function errorsOf(operation: Operation): readonly ErrorResponse[] {
  const answered = problemsOf(operation);
  const errors = [...new Set<number>(answered.map((code) => problems[code].status))].map((status) => {
    const codes = answered.filter((code) => problems[code].status === status);
    return {
      status,
      operation: sharedCodes[status]?.join() === codes.join() ? undefined : operation,
      codes,
      description: codes.map((code) => `\`${code}\`: ${problems[code].meaning}`).join('\n\n'),
    };
  });
  return errors.sort((a, b) => a.status - b.status);
}

const responseName = ({ status, operation }: ErrorResponse): string =>
  operation === undefined ? String(status) : `${operation.id}-${status}`;
const schemaName = ({ status, operation }: ErrorResponse): string =>
  operation === undefined ? `Error${status}` : `${pascalCase(operation.id)}Error${status}`;

/** References to the error responses of an operation, by status. */
export function errorReferences(operation: Operation): Json {
  return Object.fromEntries(
    errorsOf(operation).map((error) => [error.status, { $ref: `#/components/responses/${responseName(error)}` }]),
  );
}

/** The error responses of all operations, and their schemas. Every schema states the codes that the response can have. */
export function errorComponents(
  operations: readonly Operation[],
  titled: TitledSchemas,
): {
  readonly responses: Readonly<Record<string, Json>>;
  readonly schemas: Readonly<Record<string, Json>>;
} {
  const errors = [...new Map(operations.flatMap(errorsOf).map((error) => [responseName(error), error])).values()];
  errors.sort((a, b) => a.status - b.status);
  return {
    responses: Object.fromEntries(errors.map((error) => [responseName(error), responseOf(error)])),
    schemas: Object.fromEntries(errors.map((error) => [schemaName(error), schemaOf(error, titled)])),
  };
}

const statusesToRetry = new Set<number>([409, 429, 503]);

/** The error responses that are stored for an Idempotency-Key (shared/http/middleware/idempotency.ts). The others precede that check or can be retried. A 403 is not stored any more; the contract of 0.1.0 has its header. */
const statusesKept = new Set<number>([400, 402, 403, 404]);

function responseOf(error: ErrorResponse): Json {
  const { status, description } = error;
  return {
    description,
    headers: headersWith(
      ...(statusesToRetry.has(status) ? ['Retry-After'] : []),
      ...(statusesKept.has(status) ? ['Idempotency-Replayed'] : []),
    ),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schemaName(error)}` },
        examples: Object.fromEntries(error.codes.map((code) => [code, { value: exampleOf(code, error.operation) }])),
      },
    },
  };
}

/** What the error looks like. The message of a response says more: it names the values that are allowed. */
function exampleOf(code: ProblemCode, operation: Operation | undefined): ErrorEnvelope {
  const { type, meaning } = problems[code];
  const request_id = '0f6ad2c1-6b6e-4c0e-9d0a-2f0c8a9d7b53';
  const { message = meaning, param = null } = namedParameter(code, operation);
  const payment = code === withPayment ? { payment: examplePayment() } : {};
  return { error: { type, code, message, param, request_id }, ...payment };
}

/** An error of a parameter names it. */
function namedParameter(code: ProblemCode, operation: Operation | undefined): { param?: string; message?: string } {
  const param = exampleParameter(operation);
  switch (code) {
    case 'parameter_unknown':
      return { param: 'colour', message: 'Unknown parameter colour.' };
    case 'parameter_repeated':
      return { param, message: `The parameter ${param} is given more than once.` };
    case 'parameter_missing':
      return { param, message: `The parameter ${param} is required.` };
    case 'parameter_invalid':
      return { param };
    case 'cursor_invalid':
      return { param: 'cursor' };
    default:
      return {};
  }
}

/** A parameter that must be sent, or else any. */
function exampleParameter(operation: Operation | undefined): string {
  const entries = Object.entries({ ...operation?.input.body.entries, ...operation?.input.query.entries });
  const required = entries.find(([, entry]) => entry.type !== 'optional');
  return (required ?? entries[0])?.[0] ?? 'limit';
}

/** The errors that say more than an error: where the buyer authenticates, what the buyer lacks, which seats are left, and what is still kept. */
const withPayment = 'payment_action_required' satisfies ProblemCode;
const withPhase: readonly ProblemCode[] = ['phase_not_open', 'not_eligible'];
const withSeats: readonly ProblemCode[] = ['seat_taken', 'leaves_single_seat'];
const withAvailableFrom = 'events_expired' satisfies ProblemCode;

function examplePayment(): Payment {
  return v.parse(PreparedPayment, recordedCall(preparePayment)?.response).payment;
}

function schemaOf({ status, codes }: ErrorResponse, titled: TitledSchemas): Json {
  const types = [...new Set(codes.map((code) => problems[code].type))];
  const { error, errors, payment, phase, seats, available_from } = ErrorEnvelope.entries;
  const hasOneOf = (some: readonly ProblemCode[]) => codes.some((code) => some.includes(code));
  const entries: v.ObjectEntries = {
    error,
    // Only errors of the input come together.
    ...(status === 400 && { errors }),
    ...(codes.includes(withPayment) && { payment }),
    ...(hasOneOf(withPhase) && { phase }),
    ...(hasOneOf(withSeats) && { seats }),
    ...(codes.includes(withAvailableFrom) && { available_from }),
  };
  const body = { ...inlineSchema(v.object(entries), titled), description: 'The body of an error response.' };
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (key === 'additionalProperties') return undefined;
    if (key === 'code') return { ...value, enum: codes };
    return key === 'type' && isRecord(value) ? { ...value, enum: types } : value;
  });
}
