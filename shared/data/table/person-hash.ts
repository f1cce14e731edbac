import { createHmac } from 'node:crypto';
import { emailIdentity } from '../../domain/customers/customer.ts';

/** What stands for a person in keys of exact look-ups: metrics and audit logs of AWS show keys, but no other attributes (ADR 53). */
export interface PersonHash {
  readonly address: (orgId: string, emailAddress: string) => string;
  readonly names: (orgId: string, names: string) => string;
  /** What another system calls a purchase: it may be the name of a person. */
  readonly reference: (orgId: string, reference: string) => string;
}

/** 128 bits: two people never share a hash, and keys are not longer than with the usual address. */
const hashLength = 22;

export function personHashWith(key: string): PersonHash {
  // The organisation is part of it: a customer of two organisations has two hashes.
  const hash = (...parts: readonly string[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url').slice(0, hashLength);
  return {
    address: (orgId, emailAddress) => hash(orgId, 'address', emailIdentity(emailAddress)),
    names: (orgId, names) => hash(orgId, 'names', names),
    reference: (orgId, reference) => hash(orgId, 'reference', reference),
  };
}
