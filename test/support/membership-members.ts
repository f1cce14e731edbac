import { noContactDetails } from '../../shared/data/members/row.ts';
import type { NumberedDraft } from '../../tools/fixtures/members.ts';

/** A member with a number, a name and the day of creation only. */
export function memberDraft(memberNumber: string, fields: Partial<NumberedDraft> = {}): NumberedDraft {
  return {
    memberNumber,
    personId: null,
    categoryId: null,
    categoryTitle: null,
    typeId: null,
    typeTitle: null,
    seatMapId: null,
    barcode: null,
    statusId: 0,
    seatId: null,
    seatSection: null,
    seatAisle: null,
    seatRow: null,
    seatLevel: null,
    seatGate: null,
    seatTitle: null,
    userId: null,
    firstName: 'Ada',
    lastName: `Number ${memberNumber}`,
    dateOfBirth: null,
    createdUnix: 1_750_000_000,
    updatedUnix: null,
    expiresUnix: null,
    autoRenew: false,
    planId: null,
    renewalId: null,
    overdueSinceUnix: null,
    cancelledUnix: null,
    ...noContactDetails,
    emailAddress: null,
    orderId: null,
    fulfilled: 'no',
    fulfilledUnix: null,
    trackingCode: null,
    instalments: false,
    ...fields,
  };
}
