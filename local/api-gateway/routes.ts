import * as v from 'valibot';
import { CloudError } from '../cloud/cloud-error.ts';
import { type FunctionDefinition, findFunction } from '../lambda/function-definition.ts';
import type { ParsedTemplate, Resource } from '../template/parsed-template.ts';
import { Numeric, readProperties } from '../template/properties.ts';

/** One method of one resource of the REST API. */
export interface Route {
  method: string;
  /** As in the event: `/v1/members/{id}`. */
  resourcePath: string;
  resourceId: string;
  definition: FunctionDefinition;
  /** As in the integration, with the qualifier of an alias if there is one: permissions apply to exactly this ARN. */
  functionArn: string;
  streamed: boolean;
  timeoutMs: number;
}

export interface RestApi {
  id: string;
  stageName: string;
  binaryMediaTypes: string[];
  routes: Route[];
}

const RestApiProperties = v.object({ BinaryMediaTypes: v.optional(v.array(v.string()), []) });
const ResourceProperties = v.object({ ParentId: v.string(), PathPart: v.string() });
const StageProperties = v.object({ StageName: v.string(), RestApiId: v.string() });
const MethodProperties = v.object({
  HttpMethod: v.string(),
  ResourceId: v.string(),
  AuthorizationType: v.optional(v.literal('NONE', 'only methods without an authorizer are supported'), 'NONE'),
  ApiKeyRequired: v.optional(v.literal(false, 'API keys of API Gateway are not supported')),
  Integration: v.object({
    Type: v.literal('AWS_PROXY', 'only Lambda proxy integrations are supported'),
    Uri: v.string(),
    TimeoutInMillis: v.optional(Numeric, 29_000),
    ResponseTransferMode: v.optional(v.picklist(['BUFFERED', 'STREAM']), 'BUFFERED'),
  }),
});

export function readRestApi(template: ParsedTemplate, functions: readonly FunctionDefinition[]): RestApi {
  const [api, ...others] = template.ofType('AWS::ApiGateway::RestApi');
  if (api === undefined) return { id: 'none', stageName: 'none', binaryMediaTypes: [], routes: [] };
  if (others.length > 0)
    throw new CloudError(`The local cloud supports one REST API, and the template has ${others.length + 1}`);
  const stage = template
    .ofType('AWS::ApiGateway::Stage')
    .map((resource) => readProperties(resource, StageProperties))
    .find(({ RestApiId }) => RestApiId === api.ref);
  const paths = resourcePaths(template, api);
  return {
    id: api.ref,
    stageName: stage?.StageName ?? 'none',
    binaryMediaTypes: readProperties(api, RestApiProperties).BinaryMediaTypes,
    routes: template.ofType('AWS::ApiGateway::Method').map((resource) => readRoute(resource, paths, functions)),
  };
}

function resourcePaths(template: ParsedTemplate, api: Resource): ReadonlyMap<string, string> {
  const parts = new Map(
    template
      .ofType('AWS::ApiGateway::Resource')
      .map((resource) => [resource.ref, readProperties(resource, ResourceProperties)]),
  );
  const rootId = api.attributes.RootResourceId ?? '';
  const pathOf = (id: string): string => {
    const part = parts.get(id);
    return part === undefined || id === rootId ? '' : `${pathOf(part.ParentId)}/${part.PathPart}`;
  };
  return new Map([[rootId, '/'], ...[...parts.keys()].map((id): [string, string] => [id, pathOf(id)])]);
}

function readRoute(
  resource: Resource,
  paths: ReadonlyMap<string, string>,
  functions: readonly FunctionDefinition[],
): Route {
  const { HttpMethod, ResourceId, Integration } = readProperties(resource, MethodProperties);
  const resourcePath = paths.get(ResourceId);
  if (resourcePath === undefined)
    throw new CloudError(`The method ${resource.logicalId} belongs to an unknown resource`);
  // arn:aws:apigateway:<region>:lambda:path/<version>/functions/<function ARN>/<invocations or response-streaming-invocations>
  const [, functionArn = '', action = ''] = Integration.Uri.match(/\/functions\/([^/]+)\/([\w-]+)$/) ?? [];
  const definition = findFunction(functions, functionArn);
  if (definition === undefined)
    throw new CloudError(`The method ${resource.logicalId} invokes an unknown function: ${Integration.Uri}`);
  const streamed = Integration.ResponseTransferMode === 'STREAM';
  if (streamed !== (action === 'response-streaming-invocations')) {
    throw new CloudError(
      `The method ${resource.logicalId} mixes a buffered with a streamed invocation: ${Integration.Uri}`,
    );
  }
  return {
    method: HttpMethod.toUpperCase(),
    resourcePath,
    resourceId: ResourceId,
    definition,
    functionArn,
    streamed,
    timeoutMs: Integration.TimeoutInMillis,
  };
}
