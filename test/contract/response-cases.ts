import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { type Operation, readsBody } from '../../shared/operations/operation.ts';
import { paramsOf, pathOf } from '../../tools/fixtures/contract/examples.ts';
import { exceptionFor, readExceptions } from '../../tools/schemathesis/exceptions.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { probe } from '../support/probe-operation.ts';
import type { ServiceResponse } from '../support/service.ts';
import { itIf } from '../support/thorough.ts';
import { type Boundary, boundaries } from './boundaries.ts';
import { type Contract, type ContractGetter, expectProblem, mine, pipelineTest, refusals, shapes } from './contract.ts';
import { expectAnonymousLimits, expectHeaders, expectReadable } from './expectations.ts';

/** The response of every operation, and how it handles each parameter. */
export function describeResponses(
  operation: Operation,
  operations: readonly Operation[],
  contract: ContractGetter,
): void {
  it.each(operation.paths)('responds at %s with its status, its schema and the common headers', async (path) => {
    const result = await contract().send(operation, { path });
    expect(result.status, JSON.stringify(result.body)).toBe(operation.output.status);
    expect(v.safeParse(operation.output.schema, result.body).issues).toBeUndefined();
    expectHeaders(result, operation.output.mediaType);
    expect(result.headers.has('Deprecation')).toBe(operation.deprecation !== undefined);
  });

  pipelineTest(operation, 'responds the same with a slash at the end, and 404 with two', async () => {
    const { method, paths } = operation;
    for (const path of paths) {
      const result = await contract().send(operation, { path: `${path}/`, method });
      expect(result.status, JSON.stringify(result.body)).toBe(operation.output.status);
      expect(v.safeParse(operation.output.schema, result.body).issues).toBeUndefined();
      if (operation.output.mediaType === 'application/json') {
        const { url, data } = fieldsOf(result.body);
        if (url !== undefined && data !== undefined) expect(new URL(String(url)).pathname).not.toMatch(/\/$/);
      }
      expectProblem(await contract().send(operation, { path: `${path}//`, method }), 404, 'route_not_found');
    }
  });

  pipelineTest(operation, 'refuses an unknown query parameter and names it', async () => {
    expectProblem(
      await contract().send(operation, { query: { no_such_parameter: '1' } }),
      400,
      'parameter_unknown',
      'no_such_parameter',
    );
  });

  if (operation.method !== 'GET')
    pipelineTest(operation, 'refuses an unknown body field and names it', async () => {
      const result = await contract().send(operation, { form: { no_such_field: '1' } });
      expectProblem(result, 400, 'parameter_unknown', readsBody(operation) ? 'no_such_field' : null);
    });

  const hasFields = Object.keys(operation.input.body.entries).length > 0;
  itIf(readsBody(operation) && !hasFields)('accepts {} and an empty form, and no other body', async () => {
    const send = (type: string, body: string) =>
      contract().send(operation, { headers: { 'Content-Type': type }, body });
    expect((await send('application/json', '{}')).status).toBe(operation.output.status);
    for (const [type, body] of [
      ['application/json', ''],
      ['application/x-www-form-urlencoded', ''],
    ] as const) {
      // A first call may end what the next one names: a worker drops a redelivery whose event is gone.
      const { status } = await send(type, body);
      expect([type, body, status === 400 || status === 415]).toEqual([type, body, false]);
    }
    expectProblem(await send('application/json', '{"a":1,"b":2}'), 400, 'parameter_unknown', 'a');
    expectProblem(await send('application/json', '[]'), 400, 'body_invalid');
    expectProblem(await send('text/plain', '{}'), 415, 'content_type_unsupported');
  });

  if (operation.method === 'GET')
    pipelineTest(operation, 'refuses a body on GET', async () => {
      expect(await statusOfGetWithBody(operation, contract())).toBe(400);
    });

  itIf(operation.id === probe.id)('says on every response that it is deprecated, and when it ends', async () => {
    for (const query of [{}, { no_such_parameter: '1' }]) {
      const { headers } = await contract().send(operation, { query });
      const found = [headers.get('Deprecation'), headers.get('Sunset')];
      expect(found).toEqual(['@1767225600', 'Mon, 01 Feb 2027 00:00:00 GMT']);
    }
  });

  const taken = operations.filter(({ paths }) => paths[0] === operation.paths[0]).map(({ method }) => method);
  const other = (['PATCH', 'DELETE', 'PUT', 'POST'] as const).find((method) => !taken.includes(method));
  if (other !== undefined)
    pipelineTest(operation, 'responds 404 to another method on its path, and names those that it has', async () => {
      const result = await contract().send(operation, { method: other });
      expectProblem(result, 404, 'route_not_found');
      const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => taken.some((its) => its === one));
      const named = `This path does not support this method, only ${new Intl.ListFormat('en-GB').format(methods)}.`;
      expect(result.body).toMatchObject({ error: { message: expect.stringContaining(named) } });
      expectAnonymousLimits(result);
      expectReadable(result, '*');
    });

  const allQueryEdges = boundaries(operation.input.query).filter(
    ({ param, allowed }) => !(allowed && isListed(operation, param)),
  );
  const queryEdges = fewEdges(operation, 'query', allQueryEdges).map(withVerdict);
  itIf(queryEdges.length > 0).each(queryEdges)(
    '$verdict the query $param=$value',
    async ({ param, value, allowed }) => {
      const result = await contract().send(operation, { query: { [param]: value } });
      // A code of the right length that nobody has.
      if (allowed && param === 'code') expectProblem(result, 400, 'code_unknown', param);
      else if (allowed) expect(result.status).toBe(isDryRun(param, value) ? 200 : operation.output.status);
      else expectProblem(result, 400, 'parameter_invalid', param);
    },
  );

  const allBodyEdges = boundaries(operation.input.body).filter(
    ({ value, param, allowed }) => value !== '' && !(allowed && isListed(operation, param)),
  );
  const bodyEdges = fewEdges(operation, 'body', allBodyEdges).map(withVerdict);
  itIf(bodyEdges.length > 0).each(bodyEdges)('$verdict the body $param=$value', async ({ param, value, allowed }) => {
    const result = await contract().send(operation, { form: { [param]: value } });
    if (allowed && isDryRun(param, value)) expect(result.status).toBe(200);
    else if (allowed) expectAccepted(operation, result, param);
    else expectProblem(result, 400, 'parameter_invalid', param);
  });
}

/** A dry run creates nothing, so it is no 201. */
const isDryRun = (param: string, value: string): boolean => param === 'dry_run' && ['true', '1'].includes(value);

/**
 * A request with an allowed value succeeds, or meets a rule about what exists or about other parameters. A wrong accept_token looks as
 * if there were no transfer.
 */
function expectAccepted({ output }: Operation, { status, body }: ServiceResponse, param: string): void {
  if (status === output.status) return;
  expect(body).not.toMatchObject({ error: { code: 'parameter_invalid' } });
  expect(param === 'accept_token' ? [404] : [400, 409], JSON.stringify(body)).toContain(status);
}

/**
 * An allowed value reaches the handler, so every operation gets some. The pipeline refuses the others, and
 * `test/unit/openapi-agreement.test.ts` compares every boundary with the document.
 */
function fewEdges(operation: Operation, where: 'query' | 'body', edges: readonly Boundary[]): readonly Boundary[] {
  const { allowed = [], refused = [] } = Object.groupBy(edges, (edge) => (edge.allowed ? 'allowed' : 'refused'));
  const few = { query: 1, body: 2 }[where];
  return [...shapes(operation, allowed, few), ...refusals(operation, `refuses the ${where}`, refused)];
}

const exceptions = readExceptions();

/** Whether the operation has more rules for a parameter than its schema, such as a limit that moves with the time. */
function isListed({ id }: Operation, param: string): boolean {
  const check = 'positive_data_acceptance';
  const codes = ['parameter_invalid', 'events_expired'];
  return codes.some((code) => exceptionFor(exceptions, { check, operation: id, code, param }) !== undefined);
}

const withVerdict = <Edge extends { readonly allowed: boolean }>(edge: Edge) => ({
  ...edge,
  verdict: edge.allowed ? 'accepts' : 'refuses',
});

/** fetch sends no body with GET, but a client may. */
function statusOfGetWithBody(operation: Operation, { service, key }: Contract): Promise<number | undefined> {
  const path = pathOf(operation.paths[0], paramsOf(operation, mine));
  const headers = {
    ...service.headers,
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': 2,
  };
  const send = service.url.startsWith('https:') ? requestTls : request;
  return new Promise((resolve, reject) => {
    const call = send(`${service.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject);
    call.end('{}');
  });
}
