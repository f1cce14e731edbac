import type { CheckoutDeps } from '../deps.ts';

/** The dependencies of every change of a ticket. */
export type TicketDeps = Pick<CheckoutDeps, 'table' | 'orgId' | 'clock' | 'requestId'>;
