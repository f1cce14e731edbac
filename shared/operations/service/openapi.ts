import * as v from 'valibot';
import { defineOperation } from '../operation.ts';

export const openapi = defineOperation({
  id: 'openapi',
  resource: 'service',
  summary: 'Download the OpenAPI description',
  description: 'This document, as OpenAPI 3.1, for the address it was asked at. Needs no key and is not counted.',
  method: 'GET',
  paths: ['/v1/openapi.json'],
  auth: { kind: 'public' },
  output: {
    schema: v.pipe(
      v.looseObject({ openapi: v.pipe(v.string(), v.regex(/^3\.1\.\d+$/)) }),
      v.title('OpenApiDocument'),
      v.description('An OpenAPI 3.1 document.'),
    ),
  },
  runtime: { concurrency: 20 },
});
