import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { forbiddenAddress, type GuardOptions } from './address-guard.ts';

/** A name that stands for an address to which nothing may be sent. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

export type Resolve = (
  name: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Looks a name up at the moment of connecting, and hands on only addresses that were judged: what was judged is what is
 * connected to, so a name that changes its address in between gains nothing. One bad address condemns the name.
 */
export function guardedLookup(options: GuardOptions, resolve: Resolve = systemLookup): LookupFunction {
  return (name, { all, ...lookupOptions }, callback) => {
    resolve(name, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const reason = addresses.map(({ address }) => forbiddenAddress(address, options)).find((found) => found);
      const [first] = addresses;
      if (reason !== undefined || first === undefined) {
        return callback(new ForbiddenAddress(`${name} has no IP address, or one that is not public.`), '');
      }
      return all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
