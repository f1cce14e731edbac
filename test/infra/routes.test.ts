import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readMappingTemplate } from '../../local/cloud/api-gateway/mapping-template.ts';
import { preflightHeaders } from '../../shared/http/cors.ts';
import { rateHeadersWithoutKey } from '../../shared/http/rate-limit-headers.ts';
import { ErrorEnvelope } from '../../shared/operations/error-envelope.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { operations } from '../../shared/operations/registry.ts';
import { workers } from '../../shared/workers/registry.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { readStack } from '../support/template.ts';

const stack = readStack('dev');

const Integration = v.looseObject({
  type: v.string(),
  uri: v.optional(v.unknown()),
  credentials: v.optional(v.unknown()),
  responseTransferMode: v.optional(v.string()),
  timeoutInMillis: v.optional(v.number()),
});
const Body = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), v.looseObject({ 'x-amazon-apigateway-integration': Integration }))),
  'x-amazon-apigateway-gateway-responses': v.record(
    v.string(),
    v.looseObject({
      statusCode: v.optional(v.string()),
      responseParameters: v.record(v.string(), v.string()),
      responseTemplates: v.record(v.string(), v.string()),
    }),
  ),
});

const CatchAll = v.pipe(
  v.looseObject({
    requestTemplates: v.record(v.string(), v.string()),
    responses: v.object({
      default: v.looseObject({
        statusCode: v.string(),
        responseTemplates: v.object({ 'application/json': v.string() }),
      }),
    }),
  }),
  v.transform(({ requestTemplates, responses: { default: response } }) => ({
    statuses: Object.values(requestTemplates),
    statusCode: response.statusCode,
    template: response.responseTemplates['application/json'],
  })),
);
const routesOf = ({ method, paths }: Operation) => paths.map((path) => ({ method, path }));

const [api] = stack.ofType('AWS::ApiGateway::RestApi');
const body = v.parse(Body, api?.Properties.Body);

const methods = Object.entries(body.paths).flatMap(([path, methodsOfPath]) =>
  Object.entries(methodsOfPath).map(([name, { responses, 'x-amazon-apigateway-integration': integration }]) => {
    return { method: name.toUpperCase(), path, responses, integration };
  }),
);
/** Workers with a route of their own. */
const pages = workers.flatMap(({ id, source }) =>
  source.kind === 'route' && source.provider !== 'stripe'
    ? [{ ...source, id, streamed: source.streamed === true, invoked: aliasOf({ id }) }]
    : [],
);

const targets = [...operations.map(servedOperation), ...pages];
const routes = methods
  .filter(({ integration }) => integration.type !== 'mock')
  .map(({ method, path, integration }) => {
    const references = referencesIn(integration.uri);
    const target = targets.find(({ invoked }) => references.includes(invoked));
    return { route: `${method} ${path} → ${target?.id}`, target, integration };
  });

function servedOperation(operation: Operation) {
  return { id: operation.id, streamed: operation.output.streamed, invoked: aliasOf(operation) };
}

/** The logical id of the alias that serves an operation or a worker. */
function aliasOf(deployed: Pick<Operation, 'id'>): string {
  const { logicalId } = stack.functionOf(deployed);
  const aliases = stack.ofType('AWS::Lambda::Alias');
  return aliases.find(({ Properties }) => referencesIn(Properties.FunctionName).includes(logicalId))?.logicalId ?? '';
}

describe('API routes', () => {
  it('the API routes are those of the registry, each to its own function', () => {
    const expected = [
      ...operations.flatMap(({ id, method, paths }) => paths.map((path) => `${method} ${path} → ${id}`)),
      ...pages.flatMap(({ id, methods: allowed, path }) => allowed.map((method) => `${method} ${path} → ${id}`)),
    ];
    expect(routes.map(({ route }) => route).sort()).toEqual(expected.sort());
  });

  it('the API routes have no two operations on one method and path', () => {
    const routes = operations.flatMap(({ method, paths }) =>
      paths.map((path) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`),
    );
    expect(new Set(routes).size).toBe(routes.length);
  });

  it.each(routes)('$route is invoked with a role that allows it', ({ target, integration }) => {
    const role = stack.resources.get(referencesIn(integration.credentials)[0] ?? '');
    expect(role?.Properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } }],
    });
    expect(referencesIn(role?.Properties.Policies)).toContain(target?.invoked);
  });

  it('the roles of the API allow nothing but the invocation of the functions with routes', () => {
    const roles = new Set(routes.flatMap(({ integration }) => referencesIn(integration.credentials)));
    const policies = [...roles].map((id) => stack.resources.get(id)?.Properties.Policies);
    for (const Policies of policies) {
      expect(Policies).toMatchObject([
        { PolicyDocument: { Statement: [{ Action: 'lambda:InvokeFunction', Effect: 'Allow' }] } },
      ]);
    }
    const allowed = policies.flatMap((Policies) => referencesIn(Policies)).sort();
    expect(allowed).toEqual([...operations.map(aliasOf), ...pages.map(({ invoked }) => invoked)].sort());
    expect(JSON.stringify(policies)).not.toContain('*');
  });

  it('the API has no resource per route, and no function a permission for API Gateway', () => {
    expect(stack.ofType('AWS::ApiGateway::Method')).toEqual([]);
    const permissions = stack.ofType('AWS::Lambda::Permission').map(({ Properties }) => Properties.Principal);
    expect(permissions).not.toContain('apigateway.amazonaws.com');
  });

  it.each(routes)('$route streams if its operation does', ({ target, integration }) => {
    const { responseTransferMode, timeoutInMillis, uri } = integration;
    const streamed = target?.streamed === true;
    expect({ responseTransferMode, timeoutInMillis }).toEqual(
      streamed
        ? { responseTransferMode: 'STREAM', timeoutInMillis: 300_000 }
        : { responseTransferMode: undefined, timeoutInMillis: undefined },
    );
    expect(JSON.stringify(uri)).toContain(streamed ? '/response-streaming-invocations' : '/invocations');
  });

  it('the API answers preflight requests of every path itself: the root, and one catch-all path for all others', () => {
    const preflights = methods.filter(({ method }) => method === 'OPTIONS');
    expect(preflights.map(({ path }) => path)).toEqual(['/', '/{proxy+}']);
    for (const { integration, responses } of preflights) {
      expect(integration).toEqual({
        type: 'mock',
        passthroughBehavior: 'never',
        requestTemplates: { 'application/json': '{"statusCode":204}' },
        responses: {
          default: {
            statusCode: '204',
            responseParameters: {
              'method.response.header.Access-Control-Allow-Origin': "'*'",
              'method.response.header.Access-Control-Allow-Methods': "'GET, POST, PUT, PATCH, DELETE'",
              'method.response.header.Access-Control-Allow-Headers':
                "'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-SSO-Token, X-Basket-Token'",
              'method.response.header.Access-Control-Max-Age': "'7200'",
              'method.response.header.X-RateLimit-Limit': "'300'",
              'method.response.header.X-RateLimit-Remaining': "'300'",
              'method.response.header.RateLimit-Policy': expect.stringMatching(/^'[^']+'$/),
              'method.response.header.RateLimit': expect.stringMatching(/^'[^']+'$/),
              'method.response.header.Request-Id': 'context.extendedRequestId',
            },
          },
        },
      });
      // API Gateway refuses to import a header that the method does not declare.
      expect(responses).toMatchObject({
        204: {
          headers: Object.fromEntries(
            [...Object.keys(preflightHeaders()), 'Request-Id'].map((name) => [name, expect.anything()]),
          ),
        },
      });
    }
  });

  it('the API names the methods of a path to a request with another one, on the same catch-all path', () => {
    const [unknown, ...others] = methods.filter(({ method }) => method === 'X-AMAZON-APIGATEWAY-ANY-METHOD');
    expect([unknown?.path, others]).toEqual(['/{proxy+}', []]);
    const { template, ...answer } = v.parse(CatchAll, unknown?.integration);
    expect(answer).toEqual({ statuses: ['{"statusCode":404}', '{"statusCode":404}'], statusCode: '404' });
    // The whole template of the API may have 1 MB; a mapping template 300 KB.
    expect(template.length).toBeLessThan(30_000);
    const render = readMappingTemplate('ANY /{proxy+}', template);
    const messageFor = (proxy: string) =>
      v.parse(ErrorEnvelope, JSON.parse(render({ requestId: 'r', pathParameters: { proxy } }))).error.message;
    for (const [path, its] of Map.groupBy(operations.flatMap(routesOf), (route) => route.path)) {
      const [, named = ''] =
        messageFor(path.slice(1)).match(/^This path does not support this method, only (.+?)\. GET/) ?? [];
      expect(named.split(/, | and /).sort(), path).toEqual(its.map(({ method }) => method).sort());
    }
    expect(messageFor('v1/no-such-path')).toMatch(/^No such path\./);
  });

  it('the API routes belong to a regional API, with IPv4 and IPv6', () => {
    expect(api?.Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'], IpAddressType: 'dualstack' });
  });
});

describe('gateway responses of API Gateway', () => {
  const responses = body['x-amazon-apigateway-gateway-responses'];

  it('the gateway responses cover every status with the two defaults', () => {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['DEFAULT_4XX', 'DEFAULT_5XX']));
  });

  it.each(['MISSING_AUTHENTICATION_TOKEN', 'INVALID_SIGNATURE'])(
    'the gateway response to an unknown route is 404, not 403 (%s)',
    (type) => {
      expect(responses[type]?.statusCode).toBe('404');
    },
  );

  it('the gateway response to a blocked address is 429 with Retry-After, not 403', () => {
    expect(responses.WAF_FILTERED).toMatchObject({
      statusCode: '429',
      responseParameters: { 'gatewayresponse.header.Retry-After': "'300'" },
    });
  });

  it.each(['INTEGRATION_FAILURE', 'INTEGRATION_TIMEOUT', 'DEFAULT_5XX'])(
    'the gateway response %s is a 503 that clients repeat with the same Idempotency-Key',
    (type) => {
      expect(responses[type]).toMatchObject({
        statusCode: '503',
        responseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
      });
      expect(responses[type]?.responseTemplates['application/json']).toContain(
        'any other request with the same Idempotency-Key',
      );
    },
  );

  it.each(Object.entries(responses))('the gateway response %s has our envelope and headers', (_type, response) => {
    const { statusCode, responseParameters, responseTemplates } = response;
    expect(v.safeParse(ErrorEnvelope, JSON.parse(responseTemplates['application/json'] ?? '')).success).toBe(true);
    expect(responseParameters['gatewayresponse.header.Request-Id']).toBe('context.extendedRequestId');
    expect(responseParameters['gatewayresponse.header.Access-Control-Allow-Origin']).toBe("'*'");
    expect(responseParameters['gatewayresponse.header.Access-Control-Expose-Headers']).toContain('Retry-After');
    // Expressions that AWS documents: a literal in single quotes, a request parameter, or a context variable.
    for (const [name, expression] of Object.entries(responseParameters)) {
      expect(name).toMatch(/^gatewayresponse\.header\.[A-Za-z-]+$/);
      expect(expression).toMatch(
        /^('[^']*'|method\.request\.(header|path|querystring)\.[\w-]+|context\.(requestId|extendedRequestId))$/,
      );
    }
    expect(statusCode === undefined || Number(statusCode) < 500 || statusCode === '503').toBe(true);
    for (const [name, value] of Object.entries(rateHeadersWithoutKey(Number(statusCode ?? 0)))) {
      expect(responseParameters[`gatewayresponse.header.${name}`]).toBe(`'${value}'`);
    }
  });
});
