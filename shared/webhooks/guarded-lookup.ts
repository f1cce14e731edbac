import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { forbiddenAddress, type GuardOptions } from './address-guard.ts';

/** The host name resolves to an address to which nothing may be sent. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

export type Resolve = (
  name: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a host name at the moment of connecting and returns only checked addresses. The connection goes to the address that
 * was checked, which defeats DNS rebinding. One forbidden address makes the whole name forbidden.
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
