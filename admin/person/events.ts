import * as v from 'valibot';
import { nameIdentity } from '../../shared/domain/customers/shared-address.ts';
import { everyFeedEvent, rewriteFeedEvent } from './feed.ts';
import { scanMatcher } from './scan-owner.ts';
import { ownsAddress, type Person, type PersonSection } from './section.ts';

/**
 * The events of the last 30 days that contain data of the person. The events and their ids stay, so that receivers can still
 * check that they missed none; the personal data in them is erased.
 */
export const eventsSection: PersonSection = {
  name: 'events',
  async collect(person) {
    const found: unknown[] = [];
    for await (const { body, erasedBody } of eventsOf(person)) {
      if (erasedBody !== body) found.push(JSON.parse(body));
    }
    return found;
  },
  async erase(person) {
    let rewritten = 0;
    for await (const { eventId, body, erasedBody } of eventsOf(person)) {
      if (erasedBody === body) continue;
      await rewriteFeedEvent(person.table, person.orgId, eventId, erasedBody);
      rewritten += 1;
    }
    return rewritten;
  },
};

async function* eventsOf(person: Person) {
  const isAbout = await personMatcher(person);
  for await (const event of everyFeedEvent(person.table, person.orgId, person.clock.nowMs())) {
    yield { ...event, erasedBody: JSON.stringify(withoutPerson(JSON.parse(event.body), isAbout, false)) };
  }
}

/** Fields of the API that identify a person, in any resource. All of them may be null. */
const identifyingFields = new Set([
  'first_name',
  'last_name',
  'email_address',
  'mobile_number',
  'date_of_birth',
  'gender',
  'company_name',
  'address',
  'address2',
  'suburb',
  'state',
  'postcode',
  'country_id',
  'fulfillment_tracking_code',
  'ticket_name',
]);

type IsAbout = (value: object) => boolean;

/** The value without the identifying fields of each object that is about the person, and of everything inside of it. */
function withoutPerson(value: unknown, isAbout: IsAbout, isInside: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, isAbout, isInside));
  if (typeof value !== 'object' || value === null) return value;
  const isAboutPerson = isInside || isAbout(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isAboutPerson && identifyingFields.has(name) ? null : withoutPerson(inner, isAbout, isAboutPerson),
    ]),
  );
}

const Scan = v.object({
  order_id: v.nullable(v.number()),
  barcode: v.string(),
  email_address: v.nullable(v.string()),
  ticket_name: v.nullable(v.string()),
});
const Named = v.object({
  email_address: v.string(),
  first_name: v.nullish(v.string(), null),
  last_name: v.nullish(v.string(), null),
});

/**
 * An object is about the person if it has the customer's id, if it has no customer but the customer's email address, or if it
 * is a scan of the person.
 */
async function personMatcher(person: Person): Promise<IsAbout> {
  const isOwnScan = await scanMatcher(person);
  return (value) => {
    const userId: unknown = Reflect.get(value, 'user_id');
    if (typeof userId === 'number') return userId === person.customer.userId;
    if (v.is(Scan, value)) {
      const { order_id: orderId, barcode, email_address: emailAddress, ticket_name: ticketName } = value;
      return isOwnScan({ orderId, barcode, emailAddress, ticketName });
    }
    const named = v.safeParse(Named, value);
    if (!named.success) return false;
    const { email_address: emailAddress, first_name: firstName, last_name: lastName } = named.output;
    return ownsAddress(person, emailAddress, nameIdentity({ firstName, lastName }));
  };
}
