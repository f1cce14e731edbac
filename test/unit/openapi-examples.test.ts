import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import recorded from '../../shared/openapi/recorded-calls.json' with { type: 'json' };
import { operations } from '../../shared/operations/registry.ts';
import { webhookEvents } from '../../shared/operations/schemas/webhook-event.ts';

const calls: Readonly<Record<string, { body?: unknown; response: unknown }>> = recorded.operations;
const schemas: Readonly<Record<string, v.GenericSchema>> = webhookEvents;

describe('the recorded examples of the OpenAPI document', () => {
  it.each(operations.filter(({ id }) => id in calls))(
    '$id: request and response are what the schemas say',
    ({ id, input, output }) => {
      expect(v.safeParse(output.schema, calls[id]?.response).issues).toBeUndefined();
      expect(v.safeParse(input.body, calls[id]?.body ?? {}).issues).toBeUndefined();
    },
  );

  it.each(Object.entries(recorded.webhooks))('%s: the event is what the schema says', (type, event) => {
    expect(v.safeParse(schemas[type] ?? v.never(), event).issues).toBeUndefined();
  });

  it('belong to operations that exist', () => {
    expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(calls)));
    expect(Object.keys(calls).length).toBeGreaterThan(35);
  });
});
