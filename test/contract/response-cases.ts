import { request } from 'node:http';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Operation } from '../../shared/operations/operation.ts';
import { boundaries } from './boundaries.ts';
import { type Contract, expectProblem, mine, type TheContract } from './contract.ts';
import { paramsOf, pathOf } from './examples.ts';
import { expectHeaders, expectStranger } from './expectations.ts';

/** What every operation answers, and what it makes of each parameter. */
export function describeAnswers(operation: Operation, operations: readonly Operation[], contract: TheContract): void {
  it.each(operation.paths)(
    'answers at %s with its status, its schema and the headers of every response',
    async (path) => {
      const answer = await contract().send(operation, { path });
      expect(answer.status, JSON.stringify(answer.body)).toBe(operation.output.status);
      expect(v.safeParse(operation.output.schema, answer.body).issues).toBeUndefined();
      expectHeaders(answer);
    },
  );

  it('refuses a parameter it does not know, and names it', async () => {
    expectProblem(
      await contract().send(operation, { query: { no_such_parameter: '1' } }),
      400,
      'parameter_unknown',
      'no_such_parameter',
    );
  });

  it.runIf(operation.method !== 'GET')('refuses a body field it does not know, and names it', async () => {
    const takesBody = Object.keys(operation.input.body.entries).length > 0;
    const answer = await contract().send(operation, { form: { no_such_field: '1' } });
    expectProblem(answer, 400, 'parameter_unknown', takesBody ? 'no_such_field' : null);
  });

  it.runIf(operation.method === 'GET')('refuses a body, which it does not take', async () => {
    expect(await statusOfGetWithBody(operation, contract())).toBe(400);
  });

  it('answers another method on its path with 404', async () => {
    const taken = operations.filter(({ paths }) => paths[0] === operation.paths[0]).map(({ method }) => method);
    const other = (['PATCH', 'DELETE', 'PUT'] as const).find((method) => !taken.includes(method));
    const answer = await contract().send(operation, { ...(other && { method: other }) });
    expectProblem(answer, 404, 'route_not_found');
    expectStranger(answer);
  });

  const queryEdges = boundaries(operation.input.query);
  it.runIf(queryEdges.length > 0).each(queryEdges)(
    'takes query $param=$value: $allowed',
    async ({ param, value, allowed }) => {
      const answer = await contract().send(operation, { query: { [param]: value } });
      if (allowed) expect(answer.status).toBe(operation.output.status);
      else expectProblem(answer, 400, 'parameter_invalid', param);
    },
  );

  const bodyEdges = boundaries(operation.input.body).filter(({ value }) => value !== '');
  it.runIf(bodyEdges.length > 0).each(bodyEdges)(
    'takes body $param=$value: $allowed',
    async ({ param, value, allowed }) => {
      const answer = await contract().send(operation, { form: { [param]: value } });
      if (allowed) expect(answer.body).not.toMatchObject({ error: { code: 'parameter_invalid', param } });
      else expectProblem(answer, 400, 'parameter_invalid', param);
    },
  );
}

/** fetch sends no body with GET; a client may. */
function statusOfGetWithBody(operation: Operation, { service, key }: Contract): Promise<number | undefined> {
  const path = pathOf(operation.paths[0], paramsOf(operation, mine));
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': 2 };
  return new Promise((resolve, reject) => {
    const call = request(`${service.cloud.url}${path}`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject);
    call.end('{}');
  });
}
