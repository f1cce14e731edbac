import * as v from 'valibot';
import { CloudError } from '../cloud-error.ts';
import { type FunctionDefinition, findFunction } from '../lambda/function-definition.ts';
import type { ParsedTemplate } from '../template/parsed-template.ts';
import { Numeric, readProperties } from '../template/properties.ts';
import { MethodResponses, MockIntegration, type MockResponse, readMockResponse } from './mock-integration.ts';
import type { StageThrottle } from './throttle.ts';

/** One method of one resource of the REST API. */
interface Method {
  method: string;
  /** As in the event: `/v1/members/{id}`. */
  resourcePath: string;
}

/** A method that a function answers. */
export interface Route extends Method {
  resourceId: string;
  definition: FunctionDefinition;
  /** As in the integration, with the qualifier of an alias if there is one: grants apply to exactly this ARN. */
  functionArn: string;
  /** The role with which API Gateway invokes the function. */
  roleArn: string;
  streamed: boolean;
  timeoutMs: number;
  /** The throttle of this method alone, in addition to that of the stage. */
  throttle: StageThrottle | undefined;
}

/** A method that API Gateway answers itself. */
export interface MockRoute extends Method {
  mock: MockResponse;
}

export interface RestApi {
  id: string;
  stageName: string;
  throttle: StageThrottle | undefined;
  binaryMediaTypes: string[];
  /** From how many bytes on a buffered response is compressed; undefined for none. */
  minimumCompressionBytes: number | undefined;
  routes: Route[];
  mockRoutes: MockRoute[];
}

const MethodSettings = v.looseObject({
  HttpMethod: v.optional(v.string()),
  ResourcePath: v.optional(v.string()),
  ThrottlingRateLimit: v.optional(Numeric),
  ThrottlingBurstLimit: v.optional(Numeric),
});
const StageProperties = v.object({
  StageName: v.string(),
  RestApiId: v.string(),
  MethodSettings: v.optional(v.array(MethodSettings), []),
});

/** The OpenAPI extension with the integration of a method. */
const integrationKey = 'x-amazon-apigateway-integration';
const anyMethodKey = 'x-amazon-apigateway-any-method';

const FunctionIntegration = v.object({
  type: v.literal('aws_proxy'),
  uri: v.string(),
  credentials: v.string(),
  timeoutInMillis: v.optional(Numeric, 29_000),
  responseTransferMode: v.optional(v.picklist(['BUFFERED', 'STREAM']), 'BUFFERED'),
});

const MethodObject = v.object({
  security: v.optional(v.never('only methods without an authorizer are supported')),
  responses: MethodResponses,
  [integrationKey]: v.variant(
    'type',
    [FunctionIntegration, MockIntegration],
    'only Lambda proxy and mock integrations are supported',
  ),
});

const RestApiProperties = v.object({
  MinimumCompressionSize: v.optional(Numeric),
  BinaryMediaTypes: v.optional(v.array(v.string()), []),
  Body: v.object({ paths: v.optional(v.record(v.string(), v.record(v.string(), MethodObject)), {}) }),
});

/** Reads the routes from the OpenAPI document in the body of the REST API. */
export function readRestApi(template: ParsedTemplate, functions: readonly FunctionDefinition[]): RestApi {
  const [api, ...others] = template.ofType('AWS::ApiGateway::RestApi');
  if (api === undefined)
    return {
      id: 'none',
      stageName: 'none',
      throttle: undefined,
      binaryMediaTypes: [],
      minimumCompressionBytes: undefined,
      routes: [],
      mockRoutes: [],
    };
  if (others.length > 0)
    throw new CloudError(`The local cloud supports one REST API, and the template has ${others.length + 1}`);
  const stage = template
    .ofType('AWS::ApiGateway::Stage')
    .map((resource) => readProperties(resource, StageProperties))
    .find(({ RestApiId }) => RestApiId === api.ref);
  const settings = stage?.MethodSettings ?? [];
  const { BinaryMediaTypes, MinimumCompressionSize, Body } = readProperties(api, RestApiProperties);
  const routes: Route[] = [];
  const mockRoutes: MockRoute[] = [];
  for (const [resourcePath, methods] of Object.entries(Body.paths)) {
    for (const [name, { responses, [integrationKey]: integration }] of Object.entries(methods)) {
      const method = name === anyMethodKey ? 'ANY' : name.toUpperCase();
      if (integration.type === 'aws_proxy') {
        const throttle = throttleOf(settings, { method, path: resourcePath });
        routes.push({ ...readRoute(method, resourcePath, integration, functions), throttle });
      } else {
        const mock = readMockResponse(`${method} ${resourcePath}`, integration, responses);
        mockRoutes.push({ method, resourcePath, mock });
      }
    }
  }
  return {
    id: api.ref,
    stageName: stage?.StageName ?? 'none',
    throttle: throttleOf(settings, { method: '*', path: '/*' }),
    binaryMediaTypes: BinaryMediaTypes,
    minimumCompressionBytes: MinimumCompressionSize,
    routes,
    mockRoutes,
  };
}

/** The throttle that the settings have for exactly this method: in a setting, `~1` stands for a slash of the path. */
function throttleOf(
  settings: readonly v.InferOutput<typeof MethodSettings>[],
  { method, path }: { method: string; path: string },
): StageThrottle | undefined {
  const own = settings.find(
    ({ HttpMethod, ResourcePath = '' }) =>
      HttpMethod === method && (ResourcePath === path || ResourcePath.slice(1).replaceAll('~1', '/') === path),
  );
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = own ?? {};
  if (rate === undefined && burst === undefined) return undefined;
  // API Gateway's default limits of an account.
  return { requestsPerSecond: rate ?? 10_000, burst: burst ?? 5_000 };
}

function readRoute(
  method: string,
  resourcePath: string,
  integration: v.InferOutput<typeof FunctionIntegration>,
  functions: readonly FunctionDefinition[],
): Omit<Route, 'throttle'> {
  const { uri, credentials, timeoutInMillis, responseTransferMode } = integration;
  // arn:aws:apigateway:<region>:lambda:path/<version>/functions/<function ARN>/<invocations or response-streaming-invocations>
  const [, functionArn = '', action = ''] = uri.match(/\/functions\/([^/]+)\/([\w-]+)$/) ?? [];
  const definition = findFunction(functions, functionArn);
  if (definition === undefined)
    throw new CloudError(`The route ${method} ${resourcePath} invokes an unknown function: ${uri}`);
  const streamed = responseTransferMode === 'STREAM';
  if (streamed !== (action === 'response-streaming-invocations')) {
    throw new CloudError(`The route ${method} ${resourcePath} mixes a buffered with a streamed invocation: ${uri}`);
  }
  return {
    method,
    resourcePath,
    resourceId: resourcePath,
    definition,
    functionArn,
    roleArn: credentials,
    streamed,
    timeoutMs: timeoutInMillis,
  };
}
