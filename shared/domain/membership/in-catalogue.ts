interface Shown {
  readonly status: 0 | 1;
  readonly showOnline: 0 | 1;
}

/** Whether everyone may know of a category or a type: what a storefront token shows. A type needs a category that is shown too. */
export function isInCatalogue(...shown: readonly (Shown | undefined)[]): boolean {
  return shown.every((one) => one?.status === 1 && one.showOnline === 1);
}
