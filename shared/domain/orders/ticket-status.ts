/** Of a ticket or a membership: 0 pending, 1 active, 2 cancelled, 3 refunded. Attendance is a scan, never a status. */
export type TicketStatus = 0 | 1 | 2 | 3;

export const ticketStatusOf = {
  pending: 0,
  confirmed: 1,
  cancelled: 2,
  refunded: 3,
} as const satisfies Readonly<Record<string, TicketStatus>>;
