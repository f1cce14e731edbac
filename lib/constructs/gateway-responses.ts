import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { anyOriginHeaders } from '../../shared/http/cors.ts';
import { rateHeadersWithoutKey } from '../../shared/http/rate-limit-headers.ts';
import { type ProblemCode, problems, repeatAdvice } from '../../shared/operations/problems.ts';
import { unknownRouteMessage } from './unknown-route.ts';

interface GatewayProblem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

const unknownRoute: GatewayProblem = {
  code: 'route_not_found',
  message: unknownRouteMessage,
};
/** Lambda refused the function because it has no concurrency left, or the function failed or took too long. */
const unavailable: GatewayProblem = {
  code: 'dependency_unavailable',
  message: `The service did not answer. ${repeatAdvice}`,
  retryAfterSeconds: 1,
};

/**
 * The responses that API Gateway sends without calling a function. For an unknown route it would send 403, or complain that a
 * bearer token is a broken AWS signature: both become a 404. For a request that the firewall blocks it would send 403: the
 * firewall only has a rate rule, so this becomes a 429. A 5xx of API Gateway itself becomes a 503 that clients repeat: functions
 * answer their own failures with a 500. All other responses keep their status.
 */
const gatewayProblems: readonly (readonly [ResponseType, GatewayProblem])[] = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, unknownRoute],
  [ResponseType.INVALID_SIGNATURE, unknownRoute],
  [ResponseType.RESOURCE_NOT_FOUND, unknownRoute],
  [ResponseType.REQUEST_TOO_LARGE, { code: 'body_too_large', message: 'The body is larger than 1 MB.' }],
  [
    ResponseType.UNSUPPORTED_MEDIA_TYPE,
    {
      code: 'content_type_unsupported',
      message: 'Unsupported Content-Type. Send application/x-www-form-urlencoded or application/json.',
    },
  ],
  [
    ResponseType.THROTTLED,
    { code: 'throttled', message: 'Too many concurrent requests. Try again in a second.', retryAfterSeconds: 1 },
  ],
  [
    ResponseType.WAF_FILTERED,
    {
      code: 'throttled',
      message: 'Too many requests from your IP address. Try again in five minutes.',
      retryAfterSeconds: 300,
    },
  ],
  [ResponseType.INTEGRATION_FAILURE, unavailable],
  [ResponseType.INTEGRATION_TIMEOUT, unavailable],
  [ResponseType.DEFAULT_4XX, { code: 'parameter_invalid', message: 'The request is malformed.' }],
  [ResponseType.DEFAULT_5XX, unavailable],
];

/** As in the OpenAPI extension `x-amazon-apigateway-gateway-responses`. */
export function gatewayResponses(): object {
  return Object.fromEntries(gatewayProblems.map(([type, problem]) => [type.responseType, response(type, problem)]));
}

/** The headers of a problem that API Gateway answers itself. */
export function headersWithoutFunction(status: number): Record<string, string> {
  return { ...rateHeadersWithoutKey(status), ...anyOriginHeaders, 'Cache-Control': 'no-store' };
}

function response({ responseType }: ResponseType, { code, message, retryAfterSeconds }: GatewayProblem): object {
  const { status, type } = problems[code];
  const headers = {
    ...headersWithoutFunction(status),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
  };
  const fixed = Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]);
  return {
    // The default of 4xx covers many statuses, and each response keeps its own.
    ...(responseType === 'DEFAULT_4XX' ? {} : { statusCode: String(status) }),
    // Only literals and context variables, which AWS documents as sources of parameter mappings. The page about gateway responses
    // refers to them: docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-parameter-mapping-sources.html
    responseParameters: {
      ...Object.fromEntries(fixed),
      'gatewayresponse.header.Request-Id': 'context.extendedRequestId',
    },
    responseTemplates: {
      'application/json': JSON.stringify({
        error: { type, code, message, param: null, request_id: '$context.extendedRequestId' },
      }),
    },
  };
}
