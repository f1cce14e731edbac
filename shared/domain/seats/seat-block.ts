/** The largest block. Its rows are written in one transaction; the seats of an event can be in many blocks. */
export const seatBlockLimits = { seats: 1_000, rows: 90, reason: 200 } as const;

/** Seats of an event that the organisation does not sell, such as those behind a camera. */
export interface SeatBlock {
  readonly blockId: number;
  readonly eventId: number;
  /** The full names, in the order in which they were sent. */
  readonly seats: readonly string[];
  readonly reason: string | null;
  /** When the seats are for sale again; null if only their deletion ends the block. */
  readonly releaseUnix: number | null;
  readonly createdUnix: number;
}
