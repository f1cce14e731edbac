import { expect, it } from 'vitest';
import type { Operation } from '../../shared/operations/operation.ts';
import { expectProblem, mine, shapes, type TheContract } from './contract.ts';
import { bodyOf, withoutMade } from './examples.ts';

/** How every operation reads the body that it takes. */
export function describeBodies(operation: Operation, contract: TheContract): void {
  it('the same from a form and from JSON', async () => {
    const form = await contract().send(operation);
    const json = await contract().send(operation, {
      headers: { 'Content-Type': 'Application/JSON; charset=UTF-8' },
      body: JSON.stringify(bodyOf(operation, mine)),
    });
    expect(withoutMade(operation, json.body)).toEqual(withoutMade(operation, form.body));
    expect(json.status).toBe(operation.output.status);
  });

  it.each(
    shapes(operation, ['text/plain', '', 'multipart/form-data; boundary=x', 'application/json; charset=latin1'], 1),
  )('not as %j', async (type) => {
    expectProblem(
      await contract().send(operation, { headers: { 'Content-Type': type }, body: 'name=x' }),
      415,
      'content_type_unsupported',
    );
  });

  it('not over 1 MB', async () => {
    const body = `name=${'x'.repeat(1_048_576)}`;
    expectProblem(
      await contract().send(operation, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body }),
      413,
      'body_too_large',
    );
  });

  it.each(shapes(operation, ['', '{', '[]', 'null', '"x"', '{"a":1,}'], 2))(
    'as JSON only if it is an object: %s',
    async (body) => {
      const answer = await contract().send(operation, { headers: { 'Content-Type': 'application/json' }, body });
      expectProblem(
        answer,
        400,
        body === '' ? 'parameter_missing' : 'body_invalid',
        body === '' ? firstRequired(operation) : null,
      );
    },
  );
}

function firstRequired({ input }: Operation): string | null {
  return Object.entries(input.body.entries).find(([, { type }]) => type !== 'optional')?.[0] ?? null;
}
