import type { APIGatewayProxyEvent } from 'aws-lambda';
import { getHeader } from '../headers.ts';
import { problem } from '../problem.ts';

export interface ParsedBody {
  readonly encoding: 'form' | 'json';
  readonly fields: unknown;
}

const formType = 'application/x-www-form-urlencoded';

export function bodyBytes({ body, isBase64Encoded }: APIGatewayProxyEvent): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
}

export function isForm(event: APIGatewayProxyEvent): boolean {
  return mediaType(getHeader(event, 'content-type') ?? '') === formType;
}

/**
 * Parses the body into fields. A missing body counts as a body without fields, so the response names each missing field.
 * GET and DELETE reject any body unparsed.
 */
export async function parseBody(
  event: APIGatewayProxyEvent,
  { expected, maxBodyBytes }: { readonly expected: boolean; readonly maxBodyBytes: number },
): Promise<ParsedBody> {
  const bytes = bodyBytes(event);
  if (bytes.length === 0) return { encoding: 'json', fields: {} };
  if (bytes.length > maxBodyBytes) {
    throw problem('body_too_large', `The body has ${bytes.length} bytes. The limit is ${maxBodyBytes}.`);
  }
  if (!expected) throw problem('parameter_unknown', 'This operation does not accept a body.');
  const contentEncoding = getHeader(event, 'content-encoding') ?? 'identity';
  if (contentEncoding.trim().toLowerCase() !== 'identity') {
    throw problem('content_type_unsupported', 'Unsupported Content-Encoding. Send the body uncompressed.');
  }
  switch (mediaType(getHeader(event, 'content-type') ?? '')) {
    case formType:
      return { encoding: 'form', fields: await parseForm(bytes.toString('utf8')) };
    case 'application/json':
      return { encoding: 'json', fields: parseJson(bytes.toString('utf8')) };
    default:
      throw problem(
        'content_type_unsupported',
        'Unsupported Content-Type. Send application/x-www-form-urlencoded or application/json, in UTF-8.',
      );
  }
}

/** The first form loads the form parsers: most functions, and clients that send JSON, never need them. */
async function parseForm(text: string): Promise<unknown> {
  const { parseFormBody } = await import('./form-body.ts');
  return parseFormBody(text);
}

/** The media type in lower case. A character set other than UTF-8 stays in it, so the media type is unsupported. */
function mediaType(contentType: string): string {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return charset === undefined || charset.replaceAll('"', '') === 'utf-8' ? type : `${type}; ${charset}`;
}

function parseJson(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text, rejectLoneSurrogates);
  } catch {
    throw problem('body_invalid', 'The body is not valid JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw problem('body_invalid', 'The body must be a JSON object.');
  }
  return value;
}

/** `"\ud800"` is half a character. The table would store another one, so the stored text would differ from the sent text. */
function rejectLoneSurrogates(_name: string, value: unknown): unknown {
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) throw new RangeError('Unpaired surrogate.');
  return value;
}
