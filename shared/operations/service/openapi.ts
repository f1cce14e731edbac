import * as v from 'valibot';
import { defineOperation } from '../operation.ts';

export const openapi = defineOperation({
  id: 'openapi',
  resource: 'service',
  summary: 'Download the OpenAPI description',
  description:
    'Returns this document in OpenAPI 3.1, with the requested address as its server, compressed if you accept gzip. Requires no API key and does not count against the request limits. Keep it: it changes with a release only, and all callers together get it twice a second.',
  method: 'GET',
  paths: ['/v1/openapi.json'],
  auth: { kind: 'public' },
  output: {
    cachedSeconds: 300,
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
  // 1.8 MB for whoever does not accept gzip, and everyone can ask: at this rate, a flood costs a dollar an hour.
  runtime: { concurrency: 20, requestsPerSecond: 2 },
});
