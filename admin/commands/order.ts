import { endTickets } from '../../shared/checkout/end-tickets.ts';
import { refundOrder } from '../../shared/checkout/refund.ts';
import { readBasket } from '../../shared/data/baskets/baskets.ts';
import { readOrderByUuid, readOrderWithTickets } from '../../shared/data/orders/read.ts';
import { parseId } from '../../shared/domain/ids.ts';
import { majorUnits } from '../../shared/domain/money.ts';
import type { Arguments, ValueKind } from '../arguments.ts';
import type { Command, Context, Group, Option, Positional } from '../command.ts';
import { orderDocument, orderSheet } from '../documents/order.ts';
import { refusal } from '../failure.ts';
import { operatorPayments } from '../operator-payments.ts';
import { line, organisationId } from '../values/values.ts';

interface Request {
  readonly orgId: string;
  readonly order: string;
  readonly tickets: 'all' | readonly number[];
}

async function orderIdOf({ orgId, order }: Request, { table }: Context): Promise<number> {
  const orderId = parseId(order) ?? (await readOrderByUuid(table, orgId, order))?.orderId;
  if (orderId === undefined) throw orderMissing(orgId, order);
  return orderId;
}

function orderMissing(orgId: string, order: string | number): Error {
  return refusal('order_missing', `${orgId} has no order ${order}.`);
}

/** The order as it stands, under a sentence that says what was done. */
async function show(request: Request, context: Context, orderId: number, outcome?: readonly [string, string]) {
  const { table, out } = context;
  const placed = await readOrderWithTickets(table, request.orgId, orderId);
  if (placed === undefined) throw orderMissing(request.orgId, orderId);
  const basket = await readBasket(table, request.orgId, orderId);
  const [word, sentence] = outcome ?? [];
  out.show(
    { ...orderDocument(placed, basket), ...(word !== undefined && { outcome: word }) },
    [orderSheet(placed, basket), ...(sentence === undefined ? [] : [sentence])].join('\n\n'),
  );
}

function ticketsUnknown(ticketIds: readonly number[]): Error {
  return refusal('ticket_missing', `The order has no tickets ${ticketIds.join(', ')}. Nothing was changed.`);
}

const unchanged = ['unchanged', 'These tickets were cancelled or refunded before: nothing was changed.'] as const;

async function refund(request: Request, context: Context): Promise<void> {
  const { table, clock } = context;
  const { orgId, tickets } = request;
  const orderId = await orderIdOf(request, context);
  const checkoutDeps = { table, orgId, clock, payments: operatorPayments(table) };
  const refunded = await refundOrder(checkoutDeps, { orderId, tickets });
  switch (refunded.outcome) {
    case 'missing':
      throw orderMissing(orgId, request.order);
    case 'unknown_tickets':
      throw ticketsUnknown(refunded.ticketIds);
    case 'provider_refused':
      throw refusal('refund_refused', `The payment provider refuses: ${refunded.message} Nothing was changed.`);
    case 'other_pending':
      throw refusal(
        'refund_pending',
        'Another refund of this order is still on its way, and is not for all of these tickets. Nothing was written down: try again in a few minutes.',
      );
    case 'unchanged':
      return show(request, context, orderId, unchanged);
    case 'pending':
      return show(request, context, orderId, [
        'pending',
        'Written down. The service gives the money back within a few minutes; the tickets follow then.',
      ]);
    case 'refunded': {
      const amount = majorUnits(refunded.amountMinor).toFixed(2);
      const what = refunded.amountMinor === 0 ? 'No money was paid here.' : `${amount} went back.`;
      return show(request, context, orderId, ['refunded', `Refunded and announced. ${what}`]);
    }
  }
}

async function cancel(request: Request, context: Context): Promise<void> {
  const { table, clock } = context;
  const { orgId, tickets } = request;
  const orderId = await orderIdOf(request, context);
  const ended = await endTickets({ table, orgId, clock }, orderId, { tickets, to: 'cancelled' });
  switch (ended.outcome) {
    case 'missing':
      throw orderMissing(orgId, request.order);
    case 'unknown_tickets':
      throw ticketsUnknown(ended.ticketIds);
    case 'refused':
      throw refusal('stock_missing', `The prices of the order ${orderId} have no stock to give back to.`);
    case 'unchanged':
      return show(request, context, orderId, unchanged);
    case 'changed':
      return show(request, context, orderId, ['cancelled', 'Cancelled and announced. No money went back.']);
  }
}

const ticketIds: ValueKind<readonly number[]> = {
  allowed: 'ticket ids, with commas between',
  parse(text) {
    const ids = text.split(',').map((id) => parseId(id.trim()));
    return ids.every((id) => id !== undefined) ? ids : undefined;
  },
};

const positionals: readonly Positional[] = [
  { name: 'org_id', help: 'The organisation, such as org_harbourfc.' },
  { name: 'order', help: 'The order_id or the order_uuid.' },
];
const someTickets: Option = {
  name: 'tickets',
  value: 'ID,ID',
  help: 'Only these tickets; without it, the whole order.',
};

function readRequest(args: Arguments, isForTickets: boolean): Request {
  return {
    orgId: args.required('org_id', organisationId),
    order: args.required('order', line(36)),
    tickets: (isForTickets ? args.optional('tickets', ticketIds) : undefined) ?? 'all',
  };
}

const showCommand: Command = {
  name: 'show',
  summary: 'Show an order with its tickets, how it was paid and what went back.',
  positionals,
  options: [],
  example: 'order show org_harbourfc 3712000000000064',
  prepare(args) {
    const request = readRequest(args, false);
    return async (context) => show(request, context, await orderIdOf(request, context));
  },
};

const refundCommand: Command = {
  name: 'refund',
  summary:
    'Give the money back and make the tickets invalid; their places are on sale again. Announced as order.refunded.',
  positionals,
  options: [someTickets],
  example: 'order refund org_harbourfc 3712000000000064 --tickets 3712000000000065',
  prepare(args) {
    const request = readRequest(args, true);
    return (context) => refund(request, context);
  },
};

const cancelCommand: Command = {
  name: 'cancel',
  summary:
    'Make the tickets invalid without giving money back; their places are on sale again. Announced as order.cancelled.',
  positionals,
  options: [someTickets],
  example: 'order cancel org_harbourfc 3712000000000064',
  prepare(args) {
    const request = readRequest(args, true);
    return (context) => cancel(request, context);
  },
};

export const orderGroup: Group = {
  name: 'order',
  summary: 'Orders: show one, refund it or cancel it, whole or ticket by ticket.',
  commands: [showCommand, refundCommand, cancelCommand],
};
