import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../shared/openapi/document.ts';
import recorded from '../../shared/openapi/recorded-calls.json' with { type: 'json' };
import { operations } from '../../shared/operations/registry.ts';
import { webhookEvents } from '../../shared/operations/schemas/webhook-event.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { resolved } from '../support/openapi-inputs.ts';

const calls: Readonly<Record<string, { params?: object; body?: unknown; response: unknown } | undefined>> =
  recorded.operations;
const events: Readonly<Record<string, unknown>> = recorded.webhooks;
const schemas: Readonly<Record<string, v.GenericSchema>> = webhookEvents;

const howToRecord =
  'Add an entry to test/support/recording/calls.ts (a scenario to local/commands/trigger.ts) and run npm run openapi:record.';
const types: readonly string[] = Object.keys(webhookEvents);

const Body = v.looseObject({
  example: v.optional(v.unknown()),
  examples: v.optional(v.record(v.string(), v.object({ value: v.unknown() })), {}),
});

describe('the recorded examples of the OpenAPI document', () => {
  it.each(operations)('$id: request and response are what the schemas say', ({ id, input, output }) => {
    const call = calls[id];
    if (call === undefined) throw new Error(`${id} has no example. ${howToRecord}`);
    // Of a file only its media type is recorded.
    if (output.mediaType === 'application/json')
      expect(v.safeParse(output.schema, call.response).issues).toBeUndefined();
    else expect(call.response).toEqual({ file: output.mediaType });
    expect(v.safeParse(input.body, call.body ?? {}).issues).toBeUndefined();
    // An operation with a body shows one.
    if (Object.keys(input.body.entries).length > 0) expect(call.body, howToRecord).toBeDefined();
    expect(Object.keys(call.params ?? {})).toEqual(Object.keys(input.params.entries));
  });

  it.each(types)('%s: the event is what the schema says', (type) => {
    if (events[type] === undefined) throw new Error(`${type} has no example. ${howToRecord}`);
    expect(v.safeParse(schemas[type] ?? v.never(), events[type]).issues).toBeUndefined();
  });

  it('every body of a request and of a response has one, and an error of a parameter names it', () => {
    const bodies: v.InferOutput<typeof Body>[] = [];
    const { paths, webhooks } = resolved(openApiDocument(operations, 'https://api.example.com'));
    JSON.parse(JSON.stringify({ paths, webhooks }), (key, value) => {
      if (/^(application|text)\//.test(key)) bodies.push(v.parse(Body, value));
      return value;
    });
    expect(bodies.length).toBeGreaterThan(operations.length);
    for (const { example, examples, schema } of bodies) {
      if (fieldsOf(schema).format === 'binary') continue;
      expect(example ?? Object.values(examples)[0], JSON.stringify(schema)).toBeDefined();
      for (const code of ['parameter_unknown', 'parameter_missing', 'parameter_invalid', 'parameter_repeated']) {
        const error = examples[code] && fieldsOf(fieldsOf(examples[code].value).error);
        expect(error?.param, `${code} ${JSON.stringify(schema)}`).not.toBeNull();
      }
    }
  });

  it('belong to operations and event types that exist', () => {
    expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(calls)));
    expect(types).toEqual(expect.arrayContaining(Object.keys(events)));
  });
});
