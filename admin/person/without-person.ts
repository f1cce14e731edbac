import * as v from 'valibot';
import { nameIdentity } from '../../shared/domain/customers/shared-address.ts';
import { noMetadata } from '../../shared/domain/metadata.ts';
import { cardsOf, scanText } from './members.ts';
import { personalFields } from './personal-fields.ts';
import { ownsOrder } from './refund-owner.ts';
import { isOfUnlinkedOrder, scanMatcher } from './scan-owner.ts';
import { isNamedIn } from './seat-blocks.ts';
import { ownsAddress, type Person } from './section.ts';
import { transfersOf } from './transfers.ts';
import { ownsShownEntry } from './waiting-lists.ts';

type IsAbout = (value: object) => Promise<boolean>;

/** What was found of the person before, and cannot be found again by the person. */
interface KnownIds {
  readonly basketIds?: ReadonlySet<number> | undefined;
  /** The orders that this erasure has reached. They may have no address any more. */
  readonly erasedOrderIds?: ReadonlySet<number> | undefined;
}

const noIds: ReadonlySet<number> = new Set();

/**
 * Returns a function that copies resources of the API without the person: without the personal fields of each object that
 * is about the person, and of everything inside of it.
 */
export async function personEraser(
  person: Person,
  known: KnownIds = {},
): Promise<(value: unknown) => Promise<unknown>> {
  const isAbout = await personMatcher(person, known);
  return (value) => withoutPerson(value, isAbout, false);
}

/** Returns a function that copies resources without the people in these baskets: their holders, and whom they are kept for. */
export function basketEraser(basketIds: ReadonlySet<number>): (value: unknown) => Promise<unknown> {
  return (value) =>
    withoutPerson(value, async (one) => v.is(BasketAnswer, one) && basketIds.has(Number(one.id)), false);
}

async function withoutPerson(value: unknown, isAbout: IsAbout, isInside: boolean): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => withoutPerson(item, isAbout, isInside)));
  if (typeof value !== 'object' || value === null) return value;
  const isAboutPerson = isInside || (await isAbout(value));
  const fields = await Promise.all(
    Object.entries(value).map(async ([name, inner]) => [
      name,
      isAboutPerson && Object.hasOwn(personalFields, name)
        ? withoutValue(name)
        : // The seller of a document is the organisation, whoever has bought.
          await withoutPerson(inner, isAbout, isAboutPerson && name !== 'seller'),
    ]),
  );
  return Object.fromEntries(fields);
}

/** Metadata is a map, also of a person who was erased. */
const withoutValue = (name: string): unknown => (name === 'metadata' ? noMetadata : null);

const Scan = v.object({
  order_id: v.nullable(v.number()),
  barcode: v.string(),
  email_address: v.nullable(v.string()),
  ticket_name: v.nullable(v.string()),
  unix_local_timestamp: v.number(),
});
const Named = v.object({
  email_address: v.string(),
  first_name: v.nullish(v.string(), null),
  last_name: v.nullish(v.string(), null),
});
/** The response of create-member has no user_id. */
const Member = v.object({ member_id: v.string() });
const OfTicket = v.looseObject({ ticket: v.looseObject({ ticket_id: v.number() }), order_id: v.number() });
/** The order of somebody else has the name of the person on a ticket that it gave away. */
const OrderTicket = v.object({ ticket_id: v.number(), price_id: v.number() });
/** A transfer names the person whom a ticket is offered to, and nobody else. */
const Transfer = v.object({ transfer_id: v.string(), email: v.nullable(v.string()) });
/** Somebody in a waiting list. */
const WaitingListEntry = v.object({ entry_id: v.string(), event_id: v.string(), email: v.string() });
const OfSeatBlock = v.object({ seat_block_id: v.number(), reason: v.string() });
const OfTransfer = v.looseObject({ transfer: Transfer });
/** A refund, a withdrawal, a ticket and an event about a ticket have no buyer, only their order. */
const PartOfOrder = v.union([
  v.object({ withdrawal_id: v.string(), order_id: v.number() }),
  v.object({ refund_id: v.string(), order_id: v.number() }),
  v.object({ ticket_id: v.number(), order_id: v.number(), event_start: v.string() }),
  OfTicket,
]);
/** A receipt or a credit note, as an event has it. The document itself keeps its buyer for the years of the law. */
const OfDocument = v.object({ document_id: v.string(), order_id: v.number(), seller: v.looseObject({}) });
/** A basket names the holders of its tickets, and no buyer. Its order has its id. */
const BasketAnswer = v.object({ id: v.string(), items: v.array(v.unknown()), expires_at: v.number() });
/** The order of a checkout on a page, which shows no ids of its customer. */
const CheckoutAnswer = v.object({ order_id: v.number(), customer: v.object({ user_id: v.null() }) });
/** The event of a cancellation has the tickets beside the order. */
const OfOrder = v.object({ order: v.looseObject({ order_id: v.number() }) });
/** The order of a checkout names its buyer in an object of its own, and the tickets beside it. */
const OfCustomer = v.object({ customer: v.object({ user_id: v.number() }) });

/**
 * An object is about the person if it has the customer's id, if it has no customer but the customer's email address, or if it
 * is a scan of the person, or a refund, a ticket or the basket of an order of the person, or one of these baskets.
 */
async function personMatcher(
  person: Person,
  { basketIds = noIds, erasedOrderIds = noIds }: KnownIds,
): Promise<IsAbout> {
  const isOwnOrder = (orderId: number) => ownsOrder(person, orderId, erasedOrderIds);
  const cards = await cardsOf(person);
  const isOwnScan = await scanMatcher(person, cards);
  const { held, isOwnTransfer } = await transfersOf(person);
  const given = new Set(held.map(({ ticketId }) => ticketId));
  const isOfOrder = async (part: v.InferOutput<typeof PartOfOrder>): Promise<boolean> => {
    if (v.is(OfTransfer, part) && isOwnTransfer(part.transfer)) return true;
    const ticketId = v.is(OfTicket, part) ? part.ticket.ticket_id : Reflect.get(part, 'ticket_id');
    return given.has(ticketId) || isOwnOrder(part.order_id);
  };
  const isGiven = (value: object): boolean => v.is(OrderTicket, value) && given.has(value.ticket_id);
  const isAboutScan = async (value: v.InferOutput<typeof Scan>): Promise<boolean> => {
    const { order_id: orderId, barcode, email_address: emailAddress, ticket_name: ticketName } = value;
    const scan = { orderId, barcode, emailAddress, ticketName };
    const text = scanText(barcode, value.unix_local_timestamp);
    if (cards.ownScans.has(text)) return true;
    if (cards.othersScans.has(text)) return false;
    return isOwnScan(scan) || isOfUnlinkedOrder(person, scan);
  };
  const judges = [
    judge(Member, ({ member_id: id }) => cards.memberIds.has(id)),
    judge(PartOfOrder, isOfOrder),
    judge(OfDocument, ({ order_id: orderId }) => isOwnOrder(orderId)),
    judge(OfSeatBlock, ({ reason }) => isNamedIn(person, reason)),
    judge(WaitingListEntry, (entry) => ownsShownEntry(person, entry)),
    judge(BasketAnswer, ({ id }) => basketIds.has(Number(id)) || isOwnOrder(Number(id))),
    judge(CheckoutAnswer, ({ order_id: orderId }) => isOwnOrder(orderId)),
    judge(Scan, isAboutScan),
    judge(Transfer, isOwnTransfer),
  ];
  const isAbout: IsAbout = async (value) => {
    if (v.is(OfOrder, value)) return isAbout(value.order);
    const userId: unknown = v.is(OfCustomer, value) ? value.customer.user_id : Reflect.get(value, 'user_id');
    if (typeof userId === 'number') return userId === person.customer.userId;
    for (const judgeOf of judges) {
      const judged = judgeOf(value);
      if (judged !== undefined) return judged;
    }
    return isNamedAs(person, value) || isGiven(value);
  };
  return isAbout;
}

/** Decides on objects of one form. Undefined for others. */
function judge<const Schema extends v.GenericSchema>(
  schema: Schema,
  decide: (value: v.InferInput<Schema>) => boolean | Promise<boolean>,
) {
  return (value: object) => (v.is(schema, value) ? decide(value) : undefined);
}

function isNamedAs(person: Person, value: object): boolean {
  const named = v.safeParse(Named, value);
  if (!named.success) return false;
  const { email_address: emailAddress, first_name: firstName, last_name: lastName } = named.output;
  return ownsAddress(person, emailAddress, nameIdentity({ firstName, lastName }));
}
