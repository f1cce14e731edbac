import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as v from 'valibot';
import { type Operation, readsBody } from '../../operations/operation.ts';
import { entriesOf, isRecord } from '../../operations/schema-shape.ts';
import { keyOnlyFields } from '../../operations/schemas/metadata.ts';
import { parseBody } from '../input/body.ts';
import { coerceText } from '../input/coerce.ts';
import { findBrokenText, findForbiddenCharacters } from '../input/forbidden-characters.ts';
import { findBrokenDependencies } from '../input/query-dependencies.ts';
import { findUnstorableNumbers } from '../input/unstorable-numbers.ts';
import { throwIfAny, validate } from '../input/validate.ts';
import type { ProblemDetail } from '../problem.ts';
import { type Caller, getRequestContext } from '../request-context.ts';

/** Parses and validates path, query and body by the schemas of the operation. Reports all errors at once. */
export function parseInput(operation: Operation): MiddlewareObj<APIGatewayProxyEvent> {
  return {
    async before({ event }) {
      const { maxBodyBytes } = operation.input;
      const { encoding, fields } = await parseBody(event, { expected: readsBody(operation), maxBodyBytes });
      const repeated = repeatedParameters(event);
      const params = validate(
        operation.input.params,
        coerceText(operation.input.params, pathParameters(event), 'text'),
      );
      const query = validate(operation.input.query, coerceText(operation.input.query, queryParameters(event), 'text'));
      const sent = encoding === 'form' ? coerceText(operation.input.body, fields, 'null') : fields;
      const body = validate(operation.input.body, sent);
      // The schema says more about what it refuses itself.
      const refused = new Set(body.details.map(({ param }) => param));
      const unstorable = findUnstorableNumbers(operation.input.body, sent).filter(({ param }) => !refused.has(param));
      const forbidden = [
        ...findBrokenText(queryParameters(event)),
        ...findForbiddenCharacters(operation.input.body, sent),
        ...unstorable,
      ];
      const keyOnly = findKeyOnlyFields(getRequestContext(event).caller, operation.input.body, sent);
      const dependent = findBrokenDependencies(operation.input.queryDependencies, queryParameters(event));
      throwIfAny([
        ...keyOnly,
        ...repeated,
        ...params.details,
        ...query.details,
        ...body.details,
        ...forbidden,
        ...dependent,
      ]);
      getRequestContext(event).input = { params: params.output, query: query.output, body: body.output };
    },
  };
}

/** What only the organisation's own systems set: a page that sends it is told so, and nothing is done. */
function findKeyOnlyFields(caller: Caller | undefined, schema: v.GenericSchema, sent: unknown): ProblemDetail[] {
  if (caller === undefined || caller.kind === 'secret' || !isRecord(sent)) return [];
  return keyOnlyFields
    .filter((name) => Object.hasOwn(entriesOf(schema) ?? {}, name) && Object.hasOwn(sent, name))
    .map((param) => ({
      code: 'parameter_unknown',
      message: `The parameter ${param} needs an API key. A page can neither set nor see it: set it from your server.`,
      param,
    }));
}

/** API Gateway passes path parameters still percent-encoded. An invalid escape matches no object, so it stays as it is. */
function pathParameters(event: APIGatewayProxyEvent): Record<string, string> {
  return Object.fromEntries(
    Object.entries(event.pathParameters ?? {}).map(([name, value = '']) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}

function queryParameters(event: APIGatewayProxyEvent): Record<string, string | undefined> {
  return { ...event.queryStringParameters };
}

function repeatedParameters(event: APIGatewayProxyEvent): ProblemDetail[] {
  return Object.entries(event.multiValueQueryStringParameters ?? {})
    .filter(([, values]) => (values?.length ?? 0) > 1)
    .map(([param]) => ({
      code: 'parameter_repeated',
      message: `The parameter ${param} is given more than once.`,
      param,
    }));
}
