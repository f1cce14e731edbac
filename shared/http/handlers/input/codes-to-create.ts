import { isCode, normalizeCode } from '../../../domain/codes/campaign.ts';
import { problem } from '../../problem.ts';

/** What a request creates: one word, or so many random codes. */
export type WantedCodes = { readonly word: string } | { readonly count: number };

export function codesToCreate({
  count,
  code,
}: {
  readonly count: number | null;
  readonly code: string | null;
}): WantedCodes {
  if (count !== null && code !== null) {
    const message = 'Send either count, for random codes, or code, for a word of your own.';
    throw problem('parameter_conflict', message, { param: 'code' });
  }
  if (count !== null) return { count };
  if (code === null) {
    throw problem('parameter_missing', 'The parameter count is required, or code for a word of your own.', {
      param: 'count',
    });
  }
  const word = normalizeCode(code);
  if (!isCode(word)) {
    const message = 'A code has 3 to 40 letters, digits, hyphens and underscores.';
    throw problem('parameter_invalid', message, { param: 'code' });
  }
  return { word };
}
