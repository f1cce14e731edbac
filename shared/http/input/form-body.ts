import { unescape as decodePercent } from 'node:querystring';
import urlEncodedBodyParser from '@middy/http-urlencode-body-parser';
import { parse as nest } from 'qs';
import { problem } from '../problem.ts';

const parser = urlEncodedBodyParser();

/** Node's form parser silently ignores more pairs than this, and a silently shortened list is data loss. */
const maxPairs = 1_000;

/** Parses a form with bracketed nesting (`members[0][membership_member_id]=7`) into objects, lists and strings. */
export async function parseFormBody(text: string): Promise<unknown> {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > maxPairs) {
    throw problem('body_invalid', `The form has ${pairs.length} fields. The limit is ${maxPairs}; send JSON instead.`);
  }
  for (const name of pairs.map(decodeName)) {
    // The parsers would silently drop these names. They are rejected like any other unknown name.
    if (name === '' || name.includes('__proto__')) {
      const param = name === '' ? '(no name)' : '__proto__';
      throw problem('parameter_unknown', `Unknown parameter ${param}.`, name === '' ? {} : { param });
    }
  }
  try {
    // The parsers turn a repeated name into a list. The schema rejects it where no list is allowed.
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
 * The parser rejects a form that consists of one name without a value (`code`), although that is a common way to send an empty
 * value. It also accepts only a lower-case content type. Both are normalised before the parser sees them.
 */
async function parsePairs(pairs: readonly string[]): Promise<Record<string, string>> {
  const body = pairs.map((pair) => (pair.includes('=') ? pair : `${pair}=`)).join('&');
  const request = {
    event: { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body, isBase64Encoded: false },
  };
  await parser.before?.(request as never);
  return request.event.body as never;
}

/** Decodes as the parser does: an invalid escape stays as it is. */
function decodeName(pair: string): string {
  return decodePercent((pair.split('=')[0] ?? '').replaceAll('+', ' '));
}
