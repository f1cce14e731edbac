import { unescape as decoded } from 'node:querystring';
import urlEncodedBodyParser from '@middy/http-urlencode-body-parser';
import { parse as nest } from 'qs';
import { problem } from '../problem.ts';

const parser = urlEncodedBodyParser();

/** Node's form parser stops silently at this many pairs, and a silently shortened list is data loss. */
const maxPairs = 1_000;

/** A form with bracketed nesting (`members[0][membership_member_id]=7`) as objects, lists and strings. */
export async function parseFormBody(text: string): Promise<unknown> {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > maxPairs) {
    throw problem('body_invalid', `The form has ${pairs.length} fields. The limit is ${maxPairs}; send JSON instead.`);
  }
  for (const name of pairs.map(decodeName)) {
    // What the parsers would drop without a word is refused like any other unknown name.
    if (name === '' || name.includes('__proto__')) {
      const param = name === '' ? '(no name)' : '__proto__';
      throw problem('parameter_unknown', `Unknown parameter ${param}.`, name === '' ? {} : { param });
    }
  }
  try {
    // The parsers take the same name more than once for a list, which is right where a list is asked for.
    return nest(await parsePairs(pairs), {
      arrayLimit: maxPairs,
      depth: 4,
      strictDepth: true,
      throwOnLimitExceeded: true,
      plainObjects: true,
      allowPrototypes: true,
    });
  } catch (error) {
    if (error instanceof RangeError) {
      throw problem(
        'body_invalid',
        `The form is nested too deeply, or contains a list of more than ${maxPairs} items.`,
      );
    }
    throw error;
  }
}

/**
 * The parser takes a single name without a value (`code`) for a broken form, although it is the usual way to send an empty
 * value, and only a lower-case content type for a form. Both are put right before it sees them.
 */
async function parsePairs(pairs: readonly string[]): Promise<Record<string, string>> {
  const body = pairs.map((pair) => (pair.includes('=') ? pair : `${pair}=`)).join('&');
  const request = {
    event: { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body, isBase64Encoded: false },
  };
  await parser.before?.(request as never);
  return request.event.body as never;
}

/** Decoded as the parser decodes it: what is no valid escape stays as it is. */
function decodeName(pair: string): string {
  return decoded((pair.split('=')[0] ?? '').replaceAll('+', ' '));
}
