import { config } from '../../site/browser/state/config.ts';

/** The address of a page of the shop, for fans. */
export const shopLink = (path: string): string => `${config().shopUrl ?? location.origin}${path}`;
