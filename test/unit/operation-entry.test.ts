import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { defineOperation } from '../../shared/operations/operation.ts';

const least = {
  id: 'retrieve-thing',
  resource: 'service',
  summary: 'Retrieve a thing',
  description: 'One thing.',
  method: 'GET',
  paths: ['/v1/things/{thing_id}'],
  auth: { kind: 'metered', scope: 'read' },
  output: { schema: v.string() },
} as const;

describe('operation entry', () => {
  it('an operation entry gets the defaults of every group that it omits', () => {
    const operation = defineOperation(least);
    expect(operation).toMatchObject({
      input: { params: { entries: {} }, query: { entries: {} }, body: { entries: {} } },
      output: { status: 200, streamed: false, shownOnce: [], problems: [] },
      effects: {
        access: [],
        emits: [],
        sends: [],
        secrets: [],
        usesPayments: false,
        wallets: [],
        cannotBeUndone: false,
      },
      runtime: { timeoutSeconds: 10, concurrency: undefined, releasedGradually: false },
    });
  });

  it('an operation entry keeps the other defaults of a group that it sets one field of', () => {
    const operation = defineOperation({ ...least, runtime: { concurrency: 20 }, effects: { emits: ['webhook.test'] } });
    expect(operation.runtime).toEqual({
      timeoutSeconds: 10,
      concurrency: 20,
      raisedForSale: false,
      waitsForProvider: false,
      releasedGradually: false,
    });
    expect(operation.effects).toMatchObject({ access: [], emits: ['webhook.test'], sends: [] });
  });

  it('an operation entry keeps the types of its schemas for the handler', () => {
    const input = { params: v.strictObject({ thing_id: v.string() }), body: v.strictObject({ size: v.number() }) };
    const operation = defineOperation({ ...least, input });
    expectTypeOf<v.InferOutput<typeof operation.input.params>>().toEqualTypeOf<{ thing_id: string }>();
    expectTypeOf<v.InferOutput<typeof operation.input.body>>().toEqualTypeOf<{ size: number }>();
    expectTypeOf<v.InferOutput<typeof operation.output.schema>>().toEqualTypeOf<string>();
    expectTypeOf(operation.auth.scope).toEqualTypeOf<'read'>();
  });

  it('an operation entry with a typo, a field in the wrong group or a missing field is a type error', () => {
    const { auth, output, ...withoutGroups } = least;
    // @ts-expect-error: the group is `runtime`.
    defineOperation({ ...least, runtimes: { concurrency: 20 } });
    // @ts-expect-error: the field is `concurrency`.
    defineOperation({ ...least, runtime: { concurency: 20 } });
    // @ts-expect-error: `concurrency` belongs to `runtime`.
    defineOperation({ ...least, effects: { concurrency: 20 } });
    // @ts-expect-error: `problems` belongs to `output`.
    defineOperation({ ...least, problems: ['sold_out'] });
    // @ts-expect-error: there is no such key kind.
    defineOperation({ ...least, effects: { access: [{ ORDER: ['GetItem'] }] } });
    // @ts-expect-error: there is no such action.
    defineOperation({ ...least, effects: { access: [{ ORD: ['Scan'] }] } });
    // @ts-expect-error: only a metered operation accepts gate tokens.
    defineOperation({ ...least, auth: { kind: 'unmetered', scope: 'read', gates: true } });
    // @ts-expect-error: a write says whether it can be undone.
    defineOperation({ ...least, method: 'POST' });
    // @ts-expect-error: other effects do not decide it.
    defineOperation({ ...least, method: 'DELETE', effects: { emits: ['webhook.test'] } });
    defineOperation({ ...least, method: 'POST', effects: { cannotBeUndone: false } });
    // @ts-expect-error: a response has a schema.
    defineOperation({ ...withoutGroups, auth, output: { status: 201 } });
    // @ts-expect-error: an operation says how its callers are authenticated.
    defineOperation({ ...withoutGroups, output });
  });
});
