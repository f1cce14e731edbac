import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import recorded from '../../shared/openapi/recorded-calls.json' with { type: 'json' };
import { operations } from '../../shared/operations/registry.ts';
import { webhookEvents } from '../../shared/operations/schemas/webhook-event.ts';

const calls: Readonly<Record<string, { params?: object; body?: unknown; response: unknown } | undefined>> =
  recorded.operations;
const events: Readonly<Record<string, unknown>> = recorded.webhooks;
const schemas: Readonly<Record<string, v.GenericSchema>> = webhookEvents;

const howToRecord =
  'Add an entry to test/support/recording/calls.ts (a scenario to local/commands/trigger.ts) and run npm run openapi:record.';
const types: readonly string[] = Object.keys(webhookEvents);

describe('the recorded examples of the OpenAPI document', () => {
  it.each(operations)('$id: request and response are what the schemas say', ({ id, input, output }) => {
    const call = calls[id];
    if (call === undefined) throw new Error(`${id} has no example. ${howToRecord}`);
    expect(v.safeParse(output.schema, call.response).issues).toBeUndefined();
    expect(v.safeParse(input.body, call.body ?? {}).issues).toBeUndefined();
    // An operation with a body shows one.
    if (Object.keys(input.body.entries).length > 0) expect(call.body, howToRecord).toBeDefined();
    expect(Object.keys(call.params ?? {})).toEqual(Object.keys(input.params.entries));
  });

  it.each(types)('%s: the event is what the schema says', (type) => {
    if (events[type] === undefined) throw new Error(`${type} has no example. ${howToRecord}`);
    expect(v.safeParse(schemas[type] ?? v.never(), events[type]).issues).toBeUndefined();
  });

  it('belong to operations and event types that exist', () => {
    expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(calls)));
    expect(types).toEqual(expect.arrayContaining(Object.keys(events)));
  });
});
