import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import type { Operation, StorefrontAccess } from '../../operations/operation.ts';
import { isRecord } from '../../operations/schema-shape.ts';
import { keyOnlyFields } from '../../operations/schemas/metadata.ts';
import { corsHeaders } from '../cors.ts';
import { deprecationHeaders } from '../deprecation-headers.ts';
import { entityTagOf, matchesEntityTag } from '../entity-tag.ts';
import { FileOutput } from '../file-output.ts';
import { getHeader, getHeaderValues, getRequestId } from '../headers.ts';
import type { Platform } from '../platform.ts';
import { errorEnvelope } from '../problem.ts';
import { type Headers, rateHeaders } from '../rate-limit-headers.ts';
import { getRequestContext } from '../request-context.ts';
import { acceptsGzip, StreamedOutput } from '../streamed-output.ts';
import { toProblem } from '../to-problem.ts';

interface ResponseParts<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers?: Headers;
}

/** The result that middy passes to Lambda for a streamed response. */
export interface StreamedResult {
  readonly statusCode: number;
  readonly headers: Headers;
  readonly body: Readable;
}

/** Validates and serializes the handler's output. Turns an error into the error envelope. */
export function serializeResponse(
  operation: Operation,
  platform: Platform,
): MiddlewareObj<APIGatewayProxyEvent, unknown> {
  return {
    async after(request) {
      const { event, response } = request;
      await finishBackgroundTasks(event);
      if (response instanceof FileOutput) request.response = fileResponse(operation, platform, event, response);
      else if (response instanceof StreamedOutput)
        request.response = streamedResponse(operation, platform, event, response);
      else {
        const body = JSON.stringify(validateOutput(operation, event, visibleOutput(event, response)));
        request.response = successResponse(operation, platform, event, body);
      }
    },
    async onError(request) {
      const problem = toProblem(request.error);
      await finishBackgroundTasks(request.event);
      request.response = bufferedResponse(operation, platform, request.event, {
        status: problem.status,
        body: JSON.stringify(errorEnvelope(problem, getRequestId(request.event))),
        ...(problem.retryAfterSeconds !== undefined && {
          headers: { 'Retry-After': String(problem.retryAfterSeconds) },
        }),
      });
    },
  };
}

/** The longest time that a response waits for background tasks. */
const maxBackgroundMs = 500;

function finishBackgroundTasks(event: APIGatewayProxyEvent): Promise<unknown> {
  const { backgroundTasks } = getRequestContext(event);
  return backgroundTasks.length === 0
    ? Promise.resolve()
    : Promise.race([Promise.all(backgroundTasks), sleep(maxBackgroundMs, undefined, { ref: false })]);
}

/**
 * An output that violates its schema is a 500, so no client receives it. A replayed response was validated when it was
 * first sent, by the schema of that time.
 */
function validateOutput(operation: Operation, event: APIGatewayProxyEvent, output: unknown): unknown {
  if (getRequestContext(event).isReplayed) return output;
  const { schema, storedSchema = schema } = operation.output;
  return v.parse(storedSchema, withVisibleFields(operation, event, output));
}

/**
 * What only an API key sees is taken out of every other answer, wherever it stands. A replayed answer has it too: an organisation may
 * have set it on the basket of a page.
 */
function visibleOutput(event: APIGatewayProxyEvent, output: unknown): unknown {
  const { caller } = getRequestContext(event);
  return caller === undefined || caller.kind === 'secret' ? output : withoutKeyOnlyFields(output);
}

const hiddenNames: ReadonlySet<string> = new Set(keyOnlyFields);

function withoutKeyOnlyFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeyOnlyFields);
  if (!isRecord(value)) return value;
  const shown = Object.entries(value).filter(([name]) => !hiddenNames.has(name));
  return Object.fromEntries(shown.map(([name, inner]) => [name, withoutKeyOnlyFields(inner)]));
}

/** A storefront token sees only the fields that the operation shows to everyone. */
function withVisibleFields({ auth }: Operation, event: APIGatewayProxyEvent, output: unknown): unknown {
  const fields = getRequestContext(event).caller?.kind === 'storefront' ? auth.storefront?.fields : undefined;
  if (fields === undefined || typeof output !== 'object' || output === null) return output;
  return Object.fromEntries(
    Object.entries(output).map(([name, value]) => [name, fields.includes(name) ? value : null]),
  );
}

/**
 * A copy that may be kept has an entity tag, and whoever has one asks with If-None-Match whether it has changed since. The response 304 has the
 * headers of the whole response, because the browser updates its copy with them.
 */
function successResponse(
  operation: Operation,
  platform: Platform,
  event: APIGatewayProxyEvent,
  body: string,
): APIGatewayProxyResult {
  const status = isDryRun(event) ? 200 : operation.output.status;
  const kept = cacheHeaders(operation, event);
  if (kept === undefined) return bufferedResponse(operation, platform, event, { status, body });
  const entityTag = entityTagOf(body);
  const headers = { ETag: entityTag, ...kept };
  return matchesEntityTag(getHeaderValues(event, 'if-none-match'), entityTag)
    ? bufferedResponse(operation, platform, event, { status: 304, body: '', headers })
    : bufferedResponse(operation, platform, event, { status, body, headers });
}

/** A browser may keep a catalogue read with a storefront token for ten seconds, and any cache what is the same for every caller. */
function cacheHeaders({ auth, output }: Operation, event: APIGatewayProxyEvent): Headers | undefined {
  if (output.cachedSeconds !== undefined)
    return { 'Cache-Control': `public, max-age=${output.cachedSeconds}`, Vary: 'Accept-Encoding' };
  if (!auth.storefront?.catalogue || getRequestContext(event).caller?.kind !== 'storefront') return undefined;
  return {
    'Cache-Control': cacheControl(auth.storefront, event),
    // What one fan sees is kept apart from what another sees.
    ...(auth.ssoUser && { Vary: 'Origin, Authorization, X-SSO-Token' }),
  };
}

const DryRun = v.object({ dry_run: v.literal(true) });

/** A dry run of a create creates nothing, so it is no 201. */
function isDryRun(event: APIGatewayProxyEvent): boolean {
  const { input } = getRequestContext(event);
  return v.is(DryRun, input?.query) || v.is(DryRun, input?.body);
}

function cacheControl(
  storefront: StorefrontAccess | undefined,
  { queryStringParameters }: APIGatewayProxyEvent,
): string {
  const { keptSeconds = 10, keptForeverWith: name } = storefront ?? {};
  return name !== undefined && queryStringParameters?.[name] !== undefined
    ? 'private, max-age=31536000, immutable'
    : `private, max-age=${keptSeconds}`;
}

function bufferedResponse(
  operation: Operation,
  platform: Platform,
  event: APIGatewayProxyEvent,
  parts: ResponseParts<string>,
): APIGatewayProxyResult {
  return { ...statusAndHeaders(operation, platform, event, parts), body: parts.body };
}

/** The items of a streamed response are validated one by one when they are serialized (serializeList). */
function streamedResponse(
  operation: Operation,
  platform: Platform,
  event: APIGatewayProxyEvent,
  body: StreamedOutput,
): StreamedResult {
  const compressed = acceptsGzip(getHeader(event, 'accept-encoding'));
  const headers = { Vary: 'Accept-Encoding', ...(compressed && { 'Content-Encoding': 'gzip' }) };
  const parts = { status: operation.output.status, body, headers };
  return { ...statusAndHeaders(operation, platform, event, parts), body: body.toStream(compressed) };
}

/** A file, which the browser shows or saves under its name. */
function fileResponse(
  operation: Operation,
  platform: Platform,
  event: APIGatewayProxyEvent,
  body: FileOutput,
): StreamedResult {
  const { status, mediaType } = operation.output;
  const headers = {
    'Content-Type': mediaType,
    'Content-Disposition': `inline; filename="${body.fileName}"`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
  return { ...statusAndHeaders(operation, platform, event, { status, body, headers }), body: body.toStream() };
}

function statusAndHeaders(
  { deprecation }: Operation,
  platform: Platform,
  event: APIGatewayProxyEvent,
  parts: ResponseParts<unknown>,
) {
  const context = getRequestContext(event);
  return {
    statusCode: parts.status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Request-Id': getRequestId(event),
      ...rateHeaders(context.windows, parts.status, platform.clock.nowMs()),
      ...(context.isReplayed && { 'Idempotency-Replayed': 'true' }),
      ...corsHeaders(event, context),
      ...deprecationHeaders(deprecation),
      ...parts.headers,
    },
  };
}
