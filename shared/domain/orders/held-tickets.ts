import type { OrderRecord, TicketRecord } from './order.ts';

/** Whether a customer holds a ticket: the buyer, until it is given to somebody else. */
export function isHeldBy(
  { transfers }: Pick<TicketRecord, 'transfers'>,
  order: Pick<OrderRecord, 'userId'>,
  userId: number,
): boolean {
  return (transfers === undefined ? order.userId : transfers.toUserId) === userId;
}

/** The ticket under its new barcode, in the name of the person who accepted it. */
export function transferredTicket(
  ticket: TicketRecord,
  to: { readonly barcode: string; readonly name: string; readonly userId: number | null; readonly atUnix: number },
): TicketRecord {
  const former = [...(ticket.transfers?.former ?? []), { barcode: ticket.barcode, untilUnix: to.atUnix }];
  return {
    ...ticket,
    barcode: to.barcode,
    ticketName: to.name,
    holderMemberId: null,
    emailAddress: null,
    updatedUnix: to.atUnix,
    transfers: { toUserId: to.userId, former },
  };
}
