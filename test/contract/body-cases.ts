import { expect, it } from 'vitest';
import type { Operation } from '../../shared/operations/operation.ts';
import { bodyOf, withoutGenerated } from '../../tools/fixtures/contract/examples.ts';
import { type ContractGetter, expectProblem, mine, pipelineTest } from './contract.ts';

/** How every operation with a body reads it. */
export function describeBodies(operation: Operation, contract: ContractGetter): void {
  it('reads the same input from a form and from JSON', async () => {
    const form = await contract().send(operation);
    const json = await contract().send(operation, {
      headers: { 'Content-Type': 'Application/JSON; charset=UTF-8' },
      body: JSON.stringify(bodyOf(operation, mine)),
    });
    expect(withoutGenerated(operation, json.body)).toEqual(withoutGenerated(operation, form.body));
    expect(json.status).toBe(operation.output.status);
  });

  for (const type of ['text/plain', '', 'multipart/form-data; boundary=x', 'application/json; charset=latin1'])
    pipelineTest(operation, `refuses a body of content type ${JSON.stringify(type)}`, async () => {
      expectProblem(
        await contract().send(operation, { headers: { 'Content-Type': type }, body: 'name=x' }),
        415,
        'content_type_unsupported',
      );
    });

  pipelineTest(operation, 'refuses a body over 1 MB, or the limit of its own', async () => {
    const body = `name=${'x'.repeat(operation.input.maxBodyBytes)}`;
    expectProblem(
      await contract().send(operation, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body }),
      413,
      'body_too_large',
    );
  });

  for (const body of notObjects(operation))
    pipelineTest(operation, `refuses JSON that is not an object: ${body}`, async () => {
      const response = await contract().send(operation, { headers: { 'Content-Type': 'application/json' }, body });
      expectProblem(
        response,
        400,
        body === '' ? 'parameter_missing' : 'body_invalid',
        body === '' ? firstRequired(operation) : null,
      );
    });
}

function firstRequired({ input }: Operation): string | null {
  return Object.entries(input.body.entries).find(([, { type }]) => type !== 'optional')?.[0] ?? null;
}

/** An empty body is missing its required parameters; it is accepted where there are none. */
function notObjects(operation: Operation): string[] {
  return [...(firstRequired(operation) === null ? [] : ['']), '{', '[]', 'null', '"x"', '{"a":1,}'];
}
