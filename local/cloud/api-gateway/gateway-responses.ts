import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import type { ParsedTemplate } from '../template/parsed-template.ts';
import { Numeric, readProperties } from '../template/properties.ts';

/** The responses that API Gateway sends without calling a function, with AWS's status and message. */
const defaults = {
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  THROTTLED: { status: 429, message: 'Too Many Requests' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Unsupported Media Type' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
  /** For a request that is not HTTP, or has too long headers. */
  DEFAULT_4XX: { status: 400, message: 'Bad Request' },
  /** For a function that fails or returns a malformed response. AWS has no specific type for it. */
  DEFAULT_5XX: { status: 502, message: 'Internal server error' },
} as const;

export type GatewayResponseType = keyof typeof defaults;

export interface RenderedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type GatewayResponses = (type: GatewayResponseType, requestId: string) => RenderedResponse;

const responsesKey = 'x-amazon-apigateway-gateway-responses';

const Response = v.object({
  statusCode: v.optional(Numeric),
  responseParameters: v.optional(v.record(v.string(), v.string()), {}),
  responseTemplates: v.optional(v.record(v.string(), v.string()), {}),
});
const Properties = v.object({ Body: v.object({ [responsesKey]: v.optional(v.record(v.string(), Response), {}) }) });

type Customised = v.InferOutput<typeof Response>;

const defaultTemplate = '{"message":$context.error.messageString}';

/** Renders the gateway responses in the body of the REST API, with AWS's defaults for the rest. */
export function readGatewayResponses(template: ParsedTemplate): GatewayResponses {
  const customised = new Map<string, Customised>();
  for (const api of template.ofType('AWS::ApiGateway::RestApi')) {
    for (const [type, response] of Object.entries(readProperties(api, Properties).Body[responsesKey])) {
      check(response, type);
      customised.set(type, response);
    }
  }
  return (type, requestId) => {
    const fallback = defaults[type];
    const own = customised.get(type) ?? customised.get(fallback.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const variables: Record<string, string> = {
      '$context.requestId': requestId,
      '$context.extendedRequestId': requestId,
      '$context.error.messageString': JSON.stringify(fallback.message),
      '$context.error.message': fallback.message,
      '$context.error.responseType': type,
    };
    const body = own?.responseTemplates['application/json'] ?? defaultTemplate;
    return {
      status: own?.statusCode ?? fallback.status,
      headers: { 'Content-Type': 'application/json', ...headersOf(own, requestId) },
      body: body.replace(variablePattern, (name) => variables[name] ?? ''),
    };
  };
}

const variablePattern = /\$context\.[\w.]*\w/g;
const knownVariables = [
  '$context.requestId',
  '$context.extendedRequestId',
  '$context.error.messageString',
  '$context.error.message',
  '$context.error.responseType',
];
const headerPrefix = 'gatewayresponse.header.';

const requestIds = new Set(['context.requestId', 'context.extendedRequestId']);

function headersOf(own: Customised | undefined, requestId: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(own?.responseParameters ?? {})) {
    headers[name.slice(headerPrefix.length)] = requestIds.has(value) ? requestId : value.slice(1, -1);
  }
  return headers;
}

/** Rejects at the start what could not be rendered later. */
function check(response: Customised, type: string): void {
  for (const [name, value] of Object.entries(response.responseParameters)) {
    const understood = name.startsWith(headerPrefix) && (requestIds.has(value) || /^'.*'$/s.test(value));
    if (!understood)
      throw new CloudError(`The gateway response ${type} has an unsupported parameter: ${name} = ${value}`);
  }
  for (const template of Object.values(response.responseTemplates)) {
    const unknown = (template.match(variablePattern) ?? []).find((name) => !knownVariables.includes(name));
    if (unknown !== undefined)
      throw new CloudError(`The gateway response ${type} has an unsupported variable: ${unknown}`);
  }
}
