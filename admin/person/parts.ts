import { customerPart } from './customer-part.ts';
import { eventsPart } from './events-part.ts';
import { membersPart } from './members-part.ts';
import { ordersPart } from './orders-part.ts';
import type { PersonPart } from './part.ts';
import { scansPart } from './scans-part.ts';
import { ssoPart } from './sso-part.ts';

/** Everywhere a person's data lies. The customer is the last to be erased: until then it shows that there is more to do. */
export const personParts: readonly PersonPart[] = [
  membersPart,
  ordersPart,
  scansPart,
  ssoPart,
  eventsPart,
  customerPart,
];
