import type { Operation } from './operation.ts';

/** The largest body of a simple form. A purchase needs less than 1 KB. */
export const maxSimpleFormBytes = 16_384;

/**
 * The fields of a simple form that stand for headers, in words for the reference. A browser sends a form without headers of its own
 * at once, and every other request to a new URL only after a preflight request (ADR 35).
 */
export const simpleFormFields = {
  storefront_token: 'The storefront token, instead of the header Authorization.',
  basket_token: 'The basket token, instead of the header X-Basket-Token.',
  idempotency_key: 'Instead of the header Idempotency-Key.',
} as const;
export type SimpleFormField = keyof typeof simpleFormFields;

/** The fields that an operation accepts; none where it takes tokens in headers only. */
export function simpleFormFieldsOf({ auth, input }: Operation): readonly SimpleFormField[] {
  if (!auth.storefront?.simpleForm) return [];
  return 'basket_id' in input.params.entries
    ? ['storefront_token', 'basket_token', 'idempotency_key']
    : // All buyers share the token, so a key without a basket could show the response of another buyer.
      ['storefront_token'];
}
