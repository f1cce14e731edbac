import { unescape as decodePercent } from 'node:querystring';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Operation } from '../../operations/operation.ts';
import { maxSimpleFormBytes, type SimpleFormField, simpleFormFieldsOf } from '../../operations/simple-form.ts';
import { getHeader, getHeaderValues } from '../headers.ts';
import { bodyBytes, isForm } from '../input/body.ts';
import { type Problem, problem } from '../problem.ts';
import { keyRefused } from './auth-problems.ts';
import { readToken, type SignedToken, type SigningKeys } from './signed-token.ts';

/** What a page sent in the fields of a simple form. A field may have been sent more than once. */
export interface FormTokens {
  readonly storefrontToken: readonly string[];
  readonly basketToken: readonly string[];
  readonly idempotencyKey: readonly string[];
}

/**
 * Takes the tokens out of a simple form: from here on the request is one without these fields, so nothing validates, stores or
 * logs them. Undefined for any other request. With an Authorization header the fields are unknown parameters.
 */
export function takeFormTokens(operation: Operation, event: APIGatewayProxyEvent): FormTokens | undefined {
  const accepted: readonly string[] = simpleFormFieldsOf(operation);
  if (accepted.length === 0 || getHeader(event, 'authorization') !== undefined || !isForm(event)) return undefined;
  const bytes = bodyBytes(event);
  const text = bytes.toString('utf8');
  // Nobody is known yet, so a large body is not taken apart.
  if (bytes.length > maxSimpleFormBytes && text.includes('storefront_token=')) throw tooLarge(bytes.length);
  if (bytes.length > maxSimpleFormBytes) return undefined;
  const pairs = text.split('&').map((pair) => ({ pair, name: nameOf(pair) }));
  const valuesOf = (field: SimpleFormField): readonly string[] =>
    pairs.flatMap(({ pair, name }) => (name === field && accepted.includes(field) ? [textOf(pair)] : []));
  const storefrontToken = valuesOf('storefront_token');
  if (storefrontToken.length === 0) return undefined;
  if (getHeaderValues(event, 'x-basket-token').length > 0) throw twoWays();
  event.body = pairs.flatMap(({ pair, name }) => (accepted.includes(name) ? [] : [pair])).join('&');
  event.isBase64Encoded = false;
  return { storefrontToken, basketToken: valuesOf('basket_token'), idempotencyKey: valuesOf('idempotency_key') };
}

/** Only a storefront token may be in the field: everyone can read what a page contains. */
export function readFormToken({ storefrontToken }: FormTokens, keys: SigningKeys): SignedToken {
  const token = readToken(storefrontToken.join(' '), keys);
  if (token === 'forged') throw keyRefused('unknown', 'storefront token');
  if (token === 'malformed' || token.kind === 'gate') throw malformedFormToken();
  if (token.kind !== 'pub') throw secretKeyInForm();
  return token;
}

const nameOf = (pair: string): string => decoded(pair.split('=')[0] ?? '');
const textOf = (pair: string): string => (pair.includes('=') ? decoded(pair.slice(pair.indexOf('=') + 1)) : '');
const decoded = (text: string): string => decodePercent(text.replaceAll('+', ' '));

function tooLarge(bytes: number): Problem {
  return problem(
    'body_too_large',
    `The form has ${bytes} bytes. The limit with the field storefront_token is ${maxSimpleFormBytes}.`,
  );
}

function twoWays(): Problem {
  return problem(
    'parameter_unknown',
    'The header X-Basket-Token cannot be combined with the field storefront_token. Send the field basket_token instead.',
    { param: 'X-Basket-Token' },
  );
}

function malformedFormToken(): Problem {
  return problem(
    'api_key_malformed',
    'The field storefront_token does not contain a valid storefront token. Send gl_pub_…, complete and once.',
  );
}

function secretKeyInForm(): Problem {
  return problem(
    'secret_key_in_browser',
    'This API key was sent in the field storefront_token, which is for web pages. Everyone can read it there: revoke it, and use a storefront token in web pages.',
    { param: 'storefront_token' },
  );
}

export function originMissing(): Problem {
  return problem(
    'origin_not_allowed',
    'A request with the field storefront_token needs an Origin header, which every browser sends. Send the token in the Authorization header instead.',
    { param: 'Origin' },
  );
}
