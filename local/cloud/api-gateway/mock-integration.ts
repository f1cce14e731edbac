import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import { Numeric } from '../template/properties.ts';
import { type MappingTemplate, readMappingTemplate } from './mapping-template.ts';

/** A method that API Gateway answers itself, with a fixed status, fixed headers and perhaps a body. */
export interface MockResponse {
  status: number;
  headers: Record<string, string>;
  /** The headers with the id of the request. */
  requestIdHeaders: readonly string[];
  /** The types of a body that it takes. */
  contentTypes: readonly string[];
  /** Its JSON; undefined for no body. */
  body: MappingTemplate | undefined;
}

const requestIds = new Set(['context.requestId', 'context.extendedRequestId']);

const headerPrefix = 'method.response.header.';

const StatusTemplates = v.record(
  v.string(),
  v.pipe(v.string(), v.regex(/^\{ *"?statusCode"? *: *\d{3} *\}$/, 'only a template with a fixed status is supported')),
);

export const MockIntegration = v.strictObject({
  type: v.literal('mock'),
  passthroughBehavior: v.literal('never', 'only a mock integration that reads no body is supported'),
  requestTemplates: StatusTemplates,
  responses: v.strictObject({
    default: v.strictObject({
      statusCode: Numeric,
      responseParameters: v.optional(v.record(v.string(), v.string()), {}),
      responseTemplates: v.optional(
        v.strictObject({ 'application/json': v.string() }, 'only a template for application/json is supported'),
      ),
    }),
  }),
});

/** The responses of a method: status → declared headers. */
export const MethodResponses = v.optional(
  v.record(v.string(), v.looseObject({ headers: v.optional(v.record(v.string(), v.unknown()), {}) })),
  {},
);

/** Reads the response of a mock integration. API Gateway refuses to import a header that the method does not declare. */
export function readMockResponse(
  route: string,
  { requestTemplates, responses }: v.InferOutput<typeof MockIntegration>,
  declared: v.InferOutput<typeof MethodResponses>,
): MockResponse {
  const { statusCode, responseParameters, responseTemplates } = responses.default;
  const headers: Record<string, string> = {};
  const requestIdHeaders: string[] = [];
  for (const [parameter, value] of Object.entries(responseParameters)) {
    const name = parameter.slice(headerPrefix.length);
    if (!parameter.startsWith(headerPrefix) || !(requestIds.has(value) || /^'.*'$/s.test(value)))
      throw new CloudError(`The route ${route} has an unsupported response parameter: ${parameter} = ${value}`);
    if (declared[statusCode]?.headers[name] === undefined)
      throw new CloudError(
        `The route ${route} sets the header ${name}, which its response ${statusCode} does not declare`,
      );
    if (requestIds.has(value)) requestIdHeaders.push(name);
    else headers[name] = value.slice(1, -1);
  }
  const template = responseTemplates?.['application/json'];
  return {
    status: statusCode,
    headers: template === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    requestIdHeaders,
    contentTypes: Object.keys(requestTemplates),
    body: template === undefined ? undefined : readMappingTemplate(route, template),
  };
}

/** Whether API Gateway finds a template for the body. Without a type, it assumes JSON. */
export function hasTemplate({ contentTypes }: MockResponse, contentType: string | undefined): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return contentTypes.includes(type === '' ? 'application/json' : type);
}
