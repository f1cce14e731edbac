import * as v from 'valibot';
import { defineOperation } from '../operation.ts';

export const openapi = defineOperation({
  id: 'openapi',
  resource: 'service',
  summary: 'Download the OpenAPI description',
  description:
    'Returns this document in OpenAPI 3.1, with the requested address as its server. Requires no API key and does not count against the request limits.',
  method: 'GET',
  paths: ['/v1/openapi.json'],
  auth: { kind: 'public' },
  output: {
    schema: v.pipe(
      v.objectWithRest(
        {
          openapi: v.pipe(v.string(), v.regex(/^3\.1\.\d+$/), v.description('Version of the OpenAPI specification.')),
        },
        v.unknown(),
      ),
      v.title('OpenApiDocument'),
      v.description('An OpenAPI 3.1 document.'),
    ),
  },
  runtime: { concurrency: 20 },
});
