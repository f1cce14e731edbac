import * as v from 'valibot';
import { defineOperation } from '../../shared/operations/operation.ts';

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));
const integer = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/**
 * An operation that returns its input. It has every kind of input that an operation can have, so the contract
 * tests cover the whole pipeline independently of the registry.
 */
export const probe = defineOperation({
  id: 'probe',
  resource: 'service',
  summary: 'Return the input',
  description: 'Only tests deploy this.',
  method: 'POST',
  paths: ['/v1/probes/{probe_id}', '/probes/{probe_id}'],
  auth: { kind: 'metered', scope: 'members:write' },
  deprecation: { since: '2026-01-01', sunset: '2027-02-01', instead: 'Use another probe.' },
  input: {
    params: v.strictObject({ probe_id: v.string() }),
    query: v.strictObject({
      limit: v.optional(integer(1, 100), 20),
      active: v.optional(v.boolean()),
      order: v.optional(v.picklist(['asc', 'desc'])),
      search: v.optional(v.pipe(v.string(), v.maxLength(400))),
    }),
    body: v.strictObject({
      name: text(50),
      note: v.optional(v.nullable(text(100))),
      members: v.optional(
        v.pipe(
          v.array(v.strictObject({ id: integer(1, Number.MAX_SAFE_INTEGER), code: v.optional(v.nullable(text(50))) })),
          v.minLength(1),
          v.maxLength(500),
        ),
      ),
    }),
  },
  output: {
    status: 201,
    schema: v.strictObject({
      params: v.looseObject({}),
      query: v.looseObject({}),
      body: v.looseObject({}),
    }),
  },
  effects: { cannotBeUndone: false },
});
