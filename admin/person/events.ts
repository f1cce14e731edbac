import * as v from 'valibot';
import { emailIdentity } from '../../shared/domain/customers/customer.ts';
import { everyEvent, rewriteEvent } from './feed.ts';
import { theirScans } from './scan-owner.ts';
import type { Person, PersonPart } from './section.ts';

/**
 * What was announced of the person in the last 30 days. The events stay, with their ids, so that receivers can still prove
 * that they missed nothing; what they tell of the person goes.
 */
export const eventsPart: PersonPart = {
  name: 'events',
  async collect(person) {
    const found: unknown[] = [];
    const isAbout = await aboutPerson(person);
    for await (const { body } of eventsOf(person)) {
      const event: unknown = JSON.parse(body);
      if (JSON.stringify(withoutPerson(event, isAbout, false)) !== body) found.push(event);
    }
    return found;
  },
  async erase(person) {
    let rewritten = 0;
    const isAbout = await aboutPerson(person);
    for await (const { eventId, body } of eventsOf(person)) {
      const left = JSON.stringify(withoutPerson(JSON.parse(body), isAbout, false));
      if (left === body) continue;
      await rewriteEvent(person.table, person.orgId, eventId, left);
      rewritten += 1;
    }
    return rewritten;
  },
};

const eventsOf = ({ table, orgId, clock }: Person) => everyEvent(table, orgId, clock.nowMs());

/** Fields of the API that tell who somebody is, in whatever resource they stand; all of them may be null there. */
const telling = new Set([
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

/** The same, with nothing telling in what is about the person or stands inside of it. */
function withoutPerson(value: unknown, isAbout: IsAbout, isInside: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, isAbout, isInside));
  if (typeof value !== 'object' || value === null) return value;
  const isTheirs = isInside || isAbout(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isTheirs && telling.has(name) ? null : withoutPerson(inner, isAbout, isTheirs),
    ]),
  );
}

const Scanned = v.object({
  order_id: v.nullable(v.number()),
  barcode: v.string(),
  email_address: v.nullable(v.string()),
});

/** What names the customer, or the email address, or is a scan of theirs, which may name neither. */
async function aboutPerson(person: Person): Promise<IsAbout> {
  const { userId, emailAddress } = person.customer;
  const isTheirScan = await theirScans(person);
  return (value) => {
    if (Reflect.get(value, 'user_id') === userId) return true;
    const email: unknown = Reflect.get(value, 'email_address');
    if (emailAddress !== null && typeof email === 'string' && emailIdentity(email) === emailIdentity(emailAddress)) {
      return true;
    }
    if (!v.is(Scanned, value)) return false;
    return isTheirScan({ orderId: value.order_id, barcode: value.barcode, emailAddress: value.email_address });
  };
}
