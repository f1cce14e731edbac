import * as v from 'valibot';
import { type Basket, salesChannels } from '../../domain/baskets/basket.ts';
import { codeEffects } from '../../domain/codes/campaign.ts';
import type { ConsentChannel } from '../../domain/customers/consents.ts';
import { idText } from '../../domain/ids.ts';
import { tenderKinds } from '../../domain/orders/tender.ts';
import { StoredInvoiceAddress } from '../orders/invoice-address-row.ts';
import { dueSecondText } from '../table/due-hints.ts';
import { basketKey, codeUsesPartition, type ItemKey, longHoldsPartition } from '../table/keys.ts';
import { nullable, openEnum, row, storedEnum, storedMetadata, withoutNulls } from '../table/row.ts';
import { StoredLine, storedLine } from './line-row.ts';

const StoredBuyer = row({
  emailAddress: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  invoiceAddress: v.optional(StoredInvoiceAddress),
  consents: v.optional(
    row({
      said: v.array(
        row({
          purpose: v.string(),
          channel: openEnum<ConsentChannel>(),
          given: v.boolean(),
          textVersion: nullable(v.string()),
        }),
      ),
      isTypedOnPage: v.boolean(),
      atMs: v.number(),
    }),
  ),
});

const charge = {
  provider: v.string(),
  chargeId: v.string(),
  account: nullable(v.string()),
  customer: nullable(v.string()),
};

const Planned = row({ dueUnix: v.number(), amountMinor: v.number() });

const StoredCheckoutPlan = row({
  optionId: v.string(),
  lines: v.array(row({ lineId: v.number(), instalments: v.array(Planned) })),
  consentText: v.string(),
  savedMethod: nullable(v.string()),
  autoRenews: v.optional(v.boolean()),
});

/** Of a kind that is unknown here nothing counts as received. */
const StoredTender = row({
  kind: storedEnum(tenderKinds, 'complimentary'),
  reference: nullable(v.string()),
  station: nullable(v.string()),
  operator: nullable(v.string()),
  reason: v.optional(v.string()),
  dueUnix: v.optional(v.number()),
  valid: v.optional(storedEnum(['when_paid'], 'when_paid')),
});

const StoredCheckout = row({
  attempt: v.number(),
  startedUnix: v.number(),
  leaseUntilUnix: v.number(),
  waitUntilUnix: nullable(v.number()),
  buyer: nullable(StoredBuyer),
  fan: nullable(
    row({
      issuer: v.string(),
      subject: v.string(),
      providerId: v.string(),
      verifiedEmail: nullable(v.string()),
      userId: nullable(v.number()),
      isLinked: v.boolean(),
    }),
  ),
  erasedUserId: nullable(v.number()),
  paymentMethod: nullable(v.string()),
  amountMinor: v.number(),
  account: nullable(v.string()),
  charge: nullable(row(charge)),
  isPaid: v.boolean(),
  methodKind: nullable(v.string()),
  requestId: nullable(v.string()),
  paymentOptionId: nullable(v.string()),
  plan: nullable(StoredCheckoutPlan),
  tender: nullable(StoredTender),
});

/** Orders store it too. */
export const StoredReservation = row({
  owner: v.string(),
  tickets: v.array(row({ memberId: v.number(), priceIndex: v.number(), tickets: v.number(), limit: v.number() })),
});

/** Orders store it too. */
export const StoredPersonReservation = row({
  owner: v.string(),
  tickets: v.array(row({ phase: v.number(), priceIndex: v.number(), tickets: v.number(), limit: v.number() })),
});

const StoredRefund = row({
  number: v.number(),
  amountMinor: v.number(),
  ticketIds: v.array(v.number()),
  memberIds: v.optional(v.array(v.number()), []),
  state: storedEnum(['pending', 'done', 'refused'], 'done'),
  startedUnix: v.number(),
  writtenOffMinor: v.optional(v.number()),
  keepMinor: v.optional(v.number()),
  keptMinor: v.optional(v.number()),
  elsewhereMinor: v.optional(v.number()),
  returnedCharges: v.optional(v.number()),
  returnedShares: v.optional(
    v.array(
      row({
        key: v.string(),
        planId: v.number(),
        number: v.number(),
        dueUnix: v.number(),
        paidUnix: nullable(v.number()),
        charge: row({ provider: v.string(), chargeId: v.string(), account: nullable(v.string()) }),
      }),
    ),
  ),
  failedCharges: v.optional(v.array(row({ key: v.string(), amountMinor: v.number() }))),
  reason: nullable(v.string()),
  requestId: nullable(v.string()),
});

/** An order that had no basket has a row with the same attributes (orders/row.ts). */
export const StoredBasketOrder = row({ uuid: v.string(), placedUnix: v.number() });

const StoredBasket = row(
  {
    basketId: v.number(),
    status: storedEnum(['open', 'checking_out', 'checked_out', 'expired', 'cancelled'], 'checked_out'),
    channel: v.optional(storedEnum(salesChannels, 'online'), 'online'),
    eventId: nullable(v.number()),
    currency: nullable(v.string()),
    lines: v.array(StoredLine),
    lastLineId: v.number(),
    openedUnix: v.number(),
    expiresUnix: v.number(),
    attempts: v.number(),
    checkout: nullable(StoredCheckout),
    reservation: nullable(StoredReservation),
    personReservation: nullable(StoredPersonReservation),
    memberPricesOf: v.optional(v.array(v.number())),
    payment: nullable(
      row({
        ...charge,
        paymentMethod: nullable(v.string()),
        amountMinor: v.number(),
        currency: v.string(),
      }),
    ),
    customer: nullable(row({ userId: v.number(), orgCustomerId: v.string() })),
    order: nullable(StoredBasketOrder),
    refunds: v.array(StoredRefund),
    disputes: v.optional(v.array(v.string()), []),
    holder: nullable(row({ tokenId: v.string(), address: v.string() })),
    code: nullable(
      row({
        code: v.string(),
        campaignId: v.number(),
        // A kind that is unknown here is shown as one that changes no price.
        kind: storedEnum(codeEffects, 'none'),
        stock: nullable(row({ id: v.number(), slices: v.number() })),
      }),
    ),
    hold: nullable(row({ reason: nullable(v.string()), customer: nullable(StoredBuyer) })),
    metadata: storedMetadata,
    externalReference: v.optional(v.string()),
    version: v.number(),
  },
  // The id of the last single write (putAlone).
  ['writeId'],
);

/** Stored baskets say `holder` for the address that they were opened from, and `hold` for a long hold. */
export function parseBasket(item: unknown): Basket {
  const { holder: openedFrom, hold: longHold, ...basket } = v.parse(StoredBasket, item);
  return { ...basket, openedFrom, longHold };
}

/** Whether a row is that of a basket. An order that had no basket, such as an imported one, has a row with the key of one. */
export function isBasketRow(item: Readonly<Record<string, unknown>>): boolean {
  return 'status' in item;
}

/** Long enough for a client that returns to see how its basket ended. */
const keptSeconds = 30 * 86_400;

/** Index by1 lists the baskets that are kept for days, by their event; those that end first come first. */
function longHoldKeys(orgId: string, basket: Basket): object {
  const { longHold, eventId } = basket;
  if (longHold === null || eventId === null) return {};
  return { by1pk: longHoldsPartition(orgId, eventId), by1sk: longHoldSortKey(basket) };
}

export function longHoldSortKey({ basketId, expiresUnix }: Basket): string {
  return `${dueSecondText(expiresUnix)}#${idText(basketId)}`;
}

/** Index by6 lists the baskets that have a use of a code with a limit, also those that became orders. The audit counts them. */
function usedCodeKeys(orgId: string, { basketId, code }: Basket): object {
  if (code === null || code.stock === null) return {};
  return { by6pk: codeUsesPartition(orgId, code.code), by6sk: idText(basketId) };
}

/** An expired or cancelled basket is deleted later. A basket with an order or a payment is kept: it records the payment. */
export function basketItem(orgId: string, basket: Basket): ItemKey & Record<string, unknown> {
  const { openedFrom, longHold, channel, ...rest } = basket;
  const isDiscarded = (basket.status === 'expired' || basket.status === 'cancelled') && basket.payment === null;
  return {
    ...withoutNulls({ ...rest, holder: openedFrom, hold: longHold, lines: basket.lines.map(storedLine) }),
    ...(channel !== 'online' && { channel }),
    ...basketKey(orgId, basket.basketId),
    ...longHoldKeys(orgId, basket),
    ...usedCodeKeys(orgId, basket),
    ...(isDiscarded && { ttl: basket.expiresUnix + keptSeconds }),
  };
}
