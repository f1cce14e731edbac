import type { Metadata } from '../metadata.ts';

/** What the organisation's own systems say of a basket, and then of its order (ADR 82). Pages neither set nor see it. */
export interface Labels {
  /** Absent if there are no pairs. */
  readonly metadata?: Metadata | undefined;
  /** What another system calls the purchase. Several orders may have the same. Absent if nobody said. */
  readonly externalReference?: string | undefined;
}

export const maxReferenceLength = 100;

/** Only those that there are: a row without them has no such attributes. */
export function labelsOf({ metadata, externalReference }: Labels): Labels {
  return {
    ...(metadata !== undefined && { metadata }),
    ...(externalReference !== undefined && { externalReference }),
  };
}
