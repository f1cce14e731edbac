import * as v from 'valibot';
import type { LineItem } from '../../domain/baskets/line-item.ts';
import { termChanges } from '../../domain/members/next-term.ts';
import { holderNames } from '../../domain/prices/price.ts';
import { nullable, row, storedEnum } from '../table/row.ts';

const StoredHolder = row({
  firstName: nullable(v.string()),
  lastName: nullable(v.string()),
  memberId: nullable(v.number()),
  emailAddress: nullable(v.string()),
  dateOfBirth: nullable(v.string()),
});

export const StoredLine = row({
  lineId: v.number(),
  // A line of a kind that is unknown here sells no tickets.
  kind: v.optional(storedEnum(['ticket', 'membership'], 'membership'), 'ticket'),
  priceId: nullable(v.number()),
  priceIndex: v.optional(v.number(), 0),
  soldTypeId: nullable(v.number()),
  title: v.string(),
  categoryId: v.optional(v.number(), 0),
  categoryTitle: v.optional(v.string(), ''),
  quantity: v.number(),
  ticketsIncluded: v.optional(v.number(), 1),
  holders: v.optional(v.array(StoredHolder), []),
  seats: v.optional(v.array(v.string()), []),
  neededSeats: v.optional(v.array(v.string()), []),
  adjustments: v.optional(
    v.array(row({ reason: v.string(), source: nullable(v.string()), amountMinor: v.number() })),
    [],
  ),
  faceMinor: v.number(),
  rebateMinor: v.number(),
  serviceFeeMinor: v.number(),
  serviceTaxMinor: v.number(),
  taxRate: nullable(v.number()),
  membershipTypeId: nullable(v.number()),
  maxPerMember: nullable(v.number()),
  holderNames: v.optional(storedEnum(holderNames, 'required'), 'optional'),
  availableUntilUnix: nullable(v.number()),
  stockSlices: v.optional(v.number(), 1),
  pool: nullable(row({ index: v.number(), slices: v.optional(v.number(), 1) })),
  ownStock: v.optional(v.boolean(), true),
  nextTerm: nullable(
    row({
      change: v.optional(storedEnum(termChanges, 'renews'), 'renews'),
      creditMinor: v.optional(v.number(), 0),
      owner: v.string(),
      day: v.optional(v.number()),
      members: v.array(
        row({
          memberId: v.number(),
          expiresUnix: nullable(v.number()),
          orderId: nullable(v.string()),
          userId: v.optional(v.number()),
          replacedTermId: nullable(v.number()),
        }),
      ),
    }),
  ),
  needsCode: v.optional(v.boolean()),
  selfCancel: v.optional(row({ untilHours: v.number(), keepPercent: v.number() })),
  payments: nullable(
    row({
      timezone: v.string(),
      termMonths: nullable(v.number()),
      expiresUnix: nullable(v.number()),
      options: v.array(
        row({
          optionId: v.string(),
          title: v.string(),
          instalments: v.number(),
          fixedEndUnix: nullable(v.number()),
          autoRenewal: v.optional(v.boolean()),
        }),
      ),
    }),
  ),
});

/** Leaves out what almost every line has in common. */
export function storedLine({
  kind,
  holders,
  seats,
  neededSeats,
  adjustments,
  ownStock,
  holderNames: names,
  ...line
}: LineItem): object {
  return {
    ...line,
    ...(kind !== 'ticket' && { kind }),
    ...(holders.length > 0 && { holders }),
    ...(seats.length > 0 && { seats }),
    ...(neededSeats.length > 0 && { neededSeats }),
    ...(adjustments.length > 0 && { adjustments }),
    ...(!ownStock && { ownStock }),
    ...(names !== 'optional' && { holderNames: names }),
  };
}
