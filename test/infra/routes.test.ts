import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { rateHeadersWithoutKey } from '../../shared/http/rate-limit-headers.ts';
import { ErrorEnvelope } from '../../shared/operations/error-envelope.ts';
import { operations } from '../../shared/operations/registry.ts';
import { readStack, referencesIn } from '../support/template.ts';

const stack = readStack('dev');

function pathOf(resourceId: string): string {
  const { PathPart, ParentId } = stack.resources.get(resourceId)?.Properties ?? {};
  if (PathPart === undefined) return '';
  return `${pathOf(referencesIn(ParentId)[0] ?? '')}/${PathPart}`;
}

describe('API routes', () => {
  it('the API routes are those of the registry, each to its own function', () => {
    const routes = stack.ofType('AWS::ApiGateway::Method').map(({ Properties }) => {
      const targets = referencesIn(Properties.Integration);
      const operation = operations.find((candidate) => targets.includes(stack.functionOf(candidate).logicalId));
      return `${Properties.HttpMethod} ${pathOf(referencesIn(Properties.ResourceId)[0] ?? '')} → ${operation?.id}`;
    });
    const expected = operations.flatMap(({ id, method, paths }) => paths.map((path) => `${method} ${path} → ${id}`));
    expect(routes.sort()).toEqual(expected.sort());
  });

  it('the API routes have no two operations on one method and path', () => {
    const routes = operations.flatMap(({ method, paths }) =>
      paths.map((path) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`),
    );
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('each API route may invoke its function', () => {
    const permitted = stack
      .ofType('AWS::Lambda::Permission')
      .filter(({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com')
      .map(({ Properties }) => referencesIn(Properties.FunctionName)[0]);
    expect(new Set(permitted)).toEqual(new Set(operations.map((operation) => stack.functionOf(operation).logicalId)));
  });

  it('the API routes belong to a regional API', () => {
    const [api] = stack.ofType('AWS::ApiGateway::RestApi');
    expect(api?.Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
  });
});

describe('gateway responses of API Gateway', () => {
  const responses = stack.ofType('AWS::ApiGateway::GatewayResponse');
  const typeOf = ({ Properties }: (typeof responses)[number]) => String(Properties.ResponseType);

  it('the gateway responses cover every status with the two defaults', () => {
    expect(responses.map(typeOf)).toEqual(expect.arrayContaining(['DEFAULT_4XX', 'DEFAULT_5XX']));
  });

  it.each(['MISSING_AUTHENTICATION_TOKEN', 'INVALID_SIGNATURE'])(
    'the gateway response to an unknown route is 404, not 403 (%s)',
    (type) => {
      expect(responses.find((response) => typeOf(response) === type)?.Properties.StatusCode).toBe('404');
    },
  );

  it('the gateway response to a blocked address is 429 with Retry-After, not 403', () => {
    const stopped = responses.find((response) => typeOf(response) === 'WAF_FILTERED')?.Properties;
    expect(stopped).toMatchObject({
      StatusCode: '429',
      ResponseParameters: { 'gatewayresponse.header.Retry-After': "'300'" },
    });
  });

  it.each(responses.map((response) => [typeOf(response), response] as const))(
    'the gateway response %s has our envelope and headers',
    (_type, response) => {
      const templates = v.parse(v.record(v.string(), v.string()), response.Properties.ResponseTemplates);
      expect(v.safeParse(ErrorEnvelope, JSON.parse(templates['application/json'] ?? '')).success).toBe(true);
      const parameters = v.parse(v.record(v.string(), v.string()), response.Properties.ResponseParameters);
      expect(parameters['gatewayresponse.header.Request-Id']).toBe('context.extendedRequestId');
      for (const [name, value] of Object.entries(rateHeadersWithoutKey(Number(response.Properties.StatusCode ?? 0)))) {
        expect(parameters[`gatewayresponse.header.${name}`]).toBe(`'${value}'`);
      }
    },
  );
});
