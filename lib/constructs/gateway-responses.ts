import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { strangerRateHeaders } from '../../shared/http/rate-limit-headers.ts';
import { type ProblemCode, problems } from '../../shared/operations/problems.ts';

interface GatewayProblem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

const unknownRoute: GatewayProblem = {
  code: 'route_not_found',
  message: 'There is no such path with this method. GET /v1/openapi.json lists all there are.',
};
const unavailable: GatewayProblem = {
  code: 'dependency_unavailable',
  message: 'The service did not answer in time. It may have done what was asked: look before you send it again.',
  retryAfterSeconds: 1,
};

/**
 * What API Gateway answers by itself, before or instead of a function. It says 403 to an unknown route, and thinks that a
 * bearer token there is a broken signature; both are a plain 404. It says 403 to whom the firewall stops for asking too often
 * (the only reason that it has), which is a 429. Everything else keeps its status.
 */
const answers: readonly (readonly [ResponseType, GatewayProblem])[] = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, unknownRoute],
  [ResponseType.INVALID_SIGNATURE, unknownRoute],
  [ResponseType.RESOURCE_NOT_FOUND, unknownRoute],
  [ResponseType.REQUEST_TOO_LARGE, { code: 'body_too_large', message: 'The body is over 1 MB.' }],
  [
    ResponseType.UNSUPPORTED_MEDIA_TYPE,
    {
      code: 'content_type_unsupported',
      message: 'Send the body as application/x-www-form-urlencoded or application/json.',
    },
  ],
  [
    ResponseType.THROTTLED,
    { code: 'throttled', message: 'Too many requests at once. Try again in a second.', retryAfterSeconds: 1 },
  ],
  [
    ResponseType.WAF_FILTERED,
    {
      code: 'throttled',
      message: 'Too many requests from one address. Try again in five minutes.',
      retryAfterSeconds: 300,
    },
  ],
  [ResponseType.INTEGRATION_FAILURE, unavailable],
  [ResponseType.INTEGRATION_TIMEOUT, unavailable],
  [ResponseType.DEFAULT_4XX, { code: 'parameter_invalid', message: 'The request could not be read.' }],
  [
    ResponseType.DEFAULT_5XX,
    {
      code: 'internal_error',
      message: 'Something went wrong on our side. Tell us the request id and we will find it.',
    },
  ],
];

export function addGatewayResponses(api: RestApi): void {
  for (const [type, { code, message, retryAfterSeconds }] of answers) {
    const { status, type: problemType } = problems[code];
    const headers = {
      ...strangerRateHeaders,
      'Cache-Control': 'no-store',
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    };
    api.addGatewayResponse(type.responseType, {
      type,
      // The two defaults stand for many statuses; each keeps its own.
      ...(type.responseType.startsWith('DEFAULT') ? {} : { statusCode: String(status) }),
      responseHeaders: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`])),
        'Request-Id': 'context.extendedRequestId',
      },
      templates: {
        'application/json': JSON.stringify({
          error: { type: problemType, code, message, param: null, request_id: '$context.extendedRequestId' },
        }),
      },
    });
  }
}
