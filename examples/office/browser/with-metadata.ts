/** What other systems of the organisation keep with an order, a customer or a member. */
export interface WithMetadata {
  readonly metadata: Readonly<Record<string, string>>;
  /** What another system calls an order. */
  readonly external_reference?: string | null;
}
