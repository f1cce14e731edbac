import { noMetadata } from '../domain/metadata.ts';
import type { Labels } from '../domain/orders/labels.ts';

/** What an API key sees of a basket or an order beside its own fields. `serialize-response` hides it from pages. */
export function labelFields({ metadata = noMetadata, externalReference }: Labels) {
  return { metadata, external_reference: externalReference ?? null };
}
