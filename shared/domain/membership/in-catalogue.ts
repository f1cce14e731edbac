interface Shown {
  readonly status: 0 | 1;
  readonly showOnline: 0 | 1;
}

/** A category, a type or a payment option that is switched off has the status 0. */
const activeStatus = 1;

export const isActive = ({ status }: Pick<Shown, 'status'>): boolean => status === activeStatus;

/** Whether everyone may know of a category or a type: what a storefront token shows. A type needs a category that is shown too. */
export function isInCatalogue(...shown: readonly (Shown | undefined)[]): boolean {
  return shown.every((one) => one !== undefined && isActive(one) && one.showOnline === 1);
}
