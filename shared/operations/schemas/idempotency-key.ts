import * as v from 'valibot';

/** The header Idempotency-Key: printable ASCII, without the spaces around it that HTTP ignores. */
export const IdempotencyKey = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(255),
  v.regex(/^[\x21-\x7E](?:[\x20-\x7E]*[\x21-\x7E])?$/),
);
