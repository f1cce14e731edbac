import type { ServerResponse } from 'node:http';
import * as v from 'valibot';
import { isBinary } from './proxy-event.ts';

const HeaderValue = v.union([v.string(), v.number(), v.boolean()]);

/** The head of a response: the prelude of a streaming handler, or the return value of a buffered one without its body. */
const Head = v.object({
  statusCode: v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.transform(Number))]),
    v.integer(),
    v.minValue(100),
    v.maxValue(599),
  ),
  headers: v.nullish(v.record(v.string(), HeaderValue)),
  multiValueHeaders: v.nullish(v.record(v.string(), v.array(HeaderValue))),
  cookies: v.nullish(v.array(v.string())),
});

const Response = v.object({ ...Head.entries, body: v.nullish(v.string()), isBase64Encoded: v.nullish(v.boolean()) });

export type ResponseHead = v.InferOutput<typeof Head>;

/** Returns `undefined` for a response that API Gateway would call malformed. */
export function readHead(json: string): ResponseHead | undefined {
  return read(Head, json);
}

export function readResponse(json: string): v.InferOutput<typeof Response> | undefined {
  return read(Response, json);
}

function read<Schema extends v.GenericSchema>(schema: Schema, json: string): v.InferOutput<Schema> | undefined {
  try {
    const parsed = v.safeParse(schema, JSON.parse(json));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Headers that API Gateway sets from what it actually sends. */
const ownHeaders = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'date']);

export function writeHead(response: ServerResponse, head: ResponseHead, requestId: string): void {
  const headers = new Map<string, { name: string; values: string[] }>();
  const add = (name: string, values: readonly (string | number | boolean)[]) => {
    const known = headers.get(name.toLowerCase());
    // A value in both maps is sent once.
    const fresh = values.map(String).filter((value) => !known?.values.includes(value));
    headers.set(name.toLowerCase(), { name, values: [...(known?.values ?? []), ...fresh] });
  };
  for (const [name, values] of Object.entries(head.multiValueHeaders ?? {})) add(name, values);
  for (const [name, value] of Object.entries(head.headers ?? {})) add(name, [value]);
  if (head.cookies) add('Set-Cookie', head.cookies);
  // API Gateway's default type is JSON.
  if (!headers.has('content-type')) add('Content-Type', ['application/json']);

  response.statusCode = head.statusCode;
  for (const [key, { name, values }] of headers) {
    if (!ownHeaders.has(key)) response.setHeader(name, values.length === 1 ? (values[0] ?? '') : values);
  }
  response.setHeader('x-amzn-RequestId', requestId);
}

/** A REST API decodes a base64 body if its type is one of the API's binary types, and otherwise sends the base64 text. */
export function bodyBytes(
  response: v.InferOutput<typeof Response>,
  accept: string | undefined,
  binaryMediaTypes: readonly string[],
): Buffer {
  const contentType = Object.entries(response.headers ?? {}).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )?.[1];
  const wantsBinary =
    isBinary(accept?.split(',')[0], binaryMediaTypes) || isBinary(contentType?.toString(), binaryMediaTypes);
  return Buffer.from(response.body ?? '', response.isBase64Encoded && wantsBinary ? 'base64' : 'utf8');
}
