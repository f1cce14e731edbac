import { emailIdentity } from './customer.ts';

/** Who has an email address: letters compare in lower case, and a `+tag` makes no other person. */
export function personAddress(emailAddress: string): string {
  const address = emailIdentity(emailAddress);
  const at = address.lastIndexOf('@');
  const tag = address.indexOf('+');
  // An address that begins with the plus sign has no name besides it.
  return tag > 0 && tag < at ? address.slice(0, tag) + address.slice(at) : address;
}
