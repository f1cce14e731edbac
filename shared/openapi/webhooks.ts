import * as v from 'valibot';
import { inlineSchema, type Json, type TitledSchemas } from './components.ts';

const text = { type: 'string' };
const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

const parameters = [
  header('webhook-id', 'The id of the event, the same on every attempt: use it to drop repeats.'),
  header('webhook-timestamp', 'When this attempt was signed, in Unix seconds.'),
  header(
    'webhook-signature',
    'One or more signatures, such as v1,<base64>, separated by spaces: one of them must be right.',
  ),
];

/** What is posted to endpoints: one webhook for each type of event, each with a schema of its own. */
export function webhooksOf(events: Readonly<Record<string, v.GenericSchema>>, titled: TitledSchemas): Json {
  return Object.fromEntries(
    Object.entries(events).map(([type, schema]) => [type, { post: describe(type, schema, titled) }]),
  );
}

function describe(type: string, schema: v.GenericSchema, titled: TitledSchemas): Json {
  const summary = v.getDescription(schema) ?? type;
  return {
    operationId: type,
    summary,
    description: `${summary} Signed as https://www.standardwebhooks.com describes.`,
    tags: ['webhooks'],
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema: inlineSchema(schema, titled) } } },
    responses: {
      '200': { description: 'Acknowledges the event. Every other answer is a failure, and the event is sent again.' },
      '410': { description: 'The endpoint is gone: it is disabled at once.' },
    },
  };
}
