import { customerPart } from './customer.ts';
import { eventsPart } from './events.ts';
import { membersPart } from './members.ts';
import { ordersPart } from './orders.ts';
import { scansPart } from './scans.ts';
import type { PersonPart } from './section.ts';
import { ssoPart } from './sso-links.ts';

/** Everywhere a person's data lies. The customer is the last to be erased: until then it shows that there is more to do. */
export const personParts: readonly PersonPart[] = [
  membersPart,
  ordersPart,
  scansPart,
  ssoPart,
  eventsPart,
  customerPart,
];
