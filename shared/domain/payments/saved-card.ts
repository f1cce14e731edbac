/** What the owner of a saved card knows it by. */
export interface SavedCard {
  /** The provider's word, such as visa. */
  readonly brand: string;
  readonly last4: string;
  /** The last month in which it is valid, such as 2030-04. */
  readonly expires: string;
}
