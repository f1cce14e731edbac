import type { Command, OptionValues } from '@commander-js/extra-typings';
import { readBasket } from '../../shared/data/baskets/baskets.ts';
import { readOrderByUuid, readOrderWithTickets } from '../../shared/data/orders/read.ts';
import type { Table } from '../../shared/data/table/table.ts';
import { pendingRefund, refundsOf } from '../../shared/domain/baskets/refunds.ts';
import { parseId } from '../../shared/domain/ids.ts';
import { moneyText } from '../../shared/domain/money.ts';
import type { OrderRecord } from '../../shared/domain/orders/order.ts';
import type { RefundRecord } from '../../shared/domain/orders/refund.ts';
import { type Payments, paymentTimeoutMs } from '../../shared/payments/payments.ts';
import { sandboxProvider } from '../../shared/payments/sandbox.ts';
import { Fault } from '../../shared/platform/fault.ts';
import type { CheckoutDeps } from '../../shared/sales/deps.ts';
import { cancelOrRefundTickets } from '../../shared/sales/refunds/cancel-or-refund-tickets.ts';
import { executeRefund } from '../../shared/sales/refunds/execute-refund.ts';
import { requestRefund } from '../../shared/sales/refunds/request-refund.ts';
import { type ArgumentType, as, line, organisationHelp, organisationId, parseList } from '../arguments.ts';
import { type Cli, type Context, example, type Program } from '../cli.ts';
import { confirm, withYes } from '../confirmation.ts';
import { refusal } from '../failure.ts';
import { orderDocument, orderSheet } from '../output/order.ts';

export function addOrderCommands(program: Program, { run }: Cli): void {
  const group = program.command('order').description('Show, refund or cancel an order, completely or by ticket.');

  withOrder(group.command('show'))
    .description('Show an order with its tickets, its payment and its refunds.')
    .addHelpText('after', example('order show org_harbourfc 3712000000000064'))
    .action((orgId, order) =>
      run(async (context) => {
        const request = { orgId, order };
        return show(request, context, await orderIdOf(request, context));
      }),
    );

  withOrder(withYes(group.command('refund')))
    .description(
      'Refund the money and invalidate the tickets, also those cancelled before. They are on sale again. Sends order.refunded.',
    )
    .option('--tickets <ids>', ticketsHelp, as(ticketIds))
    .addHelpText('after', example('order refund org_harbourfc 3712000000000064 --tickets 3712000000000065 --yes'))
    .action((orgId, order, { tickets = 'all' as const, yes }) =>
      run((context) => refund({ orgId, order, tickets, yes }, context)),
    );

  withOrder(withYes(group.command('cancel')))
    .description('Invalidate the tickets without a refund. They are on sale again. Sends order.cancelled.')
    .option('--tickets <ids>', ticketsHelp, as(ticketIds))
    .addHelpText('after', example('order cancel org_harbourfc 3712000000000064 --yes'))
    .action((orgId, order, { tickets = 'all' as const, yes }) =>
      run((context) => cancel({ orgId, order, tickets, yes }, context)),
    );
}

function withOrder<Opts extends OptionValues, Globals extends OptionValues>(command: Command<[], Opts, Globals>) {
  return command
    .argument('<org_id>', organisationHelp, as(organisationId))
    .argument('<order>', 'The order_id or the order_uuid.', as(line(36)));
}

const ticketsHelp = 'Only these tickets, by ticket_id, separated by commas (default: all).';
const ticketIds: ArgumentType<readonly number[]> = {
  allowed: 'ticket ids, separated by commas',
  parse: (text) => parseList(text, parseId),
};

interface OrderRequest {
  readonly orgId: string;
  readonly order: string;
}
interface TicketsRequest extends OrderRequest {
  readonly tickets: 'all' | readonly number[];
  readonly yes: true | undefined;
}

async function orderIdOf({ orgId, order }: OrderRequest, { table }: Context): Promise<number> {
  const orderId = parseId(order) ?? (await readOrderByUuid(table, orgId, order))?.orderId;
  if (orderId === undefined) throw orderMissing(orgId, order);
  return orderId;
}

function orderMissing(orgId: string, order: string | number): Error {
  return refusal('order_missing', `${orgId} has no order ${order}.`);
}

function ticketsMissing(ids: readonly number[]): Error {
  return refusal('ticket_missing', `The order has no tickets ${ids.join(', ')}. Nothing changed.`);
}

function laterTerm(memberIds: readonly number[]): Error {
  const message = `The members ${memberIds.join(', ')} have a later term. Nothing changed. End the order of the last one first.`;
  return refusal('later_term_exists', message);
}

function someRefunded(ids: readonly number[]): Error {
  const message = `Tickets ${ids.join(', ')} are refunded, or their refund is pending. Nothing changed. Name the others only.`;
  return refusal('ticket_already_refunded', message);
}

type Outcome = readonly [outcome: string, sentence: string];
const notCancelled: Outcome = ['unchanged', 'These tickets are already cancelled or refunded. Nothing changed.'];
const notRefunded: Outcome = [
  'unchanged',
  'These tickets are already refunded, or their refund is pending. Nothing changed.',
];

/** Shows the order as it is now, and what was done. */
async function show({ orgId }: OrderRequest, context: Context, orderId: number, done?: Outcome): Promise<void> {
  const { table, requestId } = context;
  const order = await readOrderWithTickets(table, orgId, orderId);
  if (order === undefined) throw orderMissing(orgId, orderId);
  const basket = await readBasket(table, orgId, orderId);
  const [outcome, sentence] = done ?? [];
  const isChanged = outcome !== 'unchanged';
  context.show(
    {
      ...orderDocument(order, basket),
      ...(outcome !== undefined && { outcome, changed: isChanged, ...(isChanged && { request_id: requestId }) }),
    },
    [orderSheet(order, basket), ...(sentence === undefined ? [] : [sentence])].join('\n\n'),
  );
}

/** Without tickets, the whole order is meant. */
const membersWith = (tickets: TicketsRequest['tickets']) => (tickets === 'all' ? 'all' : []);

async function refund(request: TicketsRequest, context: Context): Promise<void> {
  const { table, clock, requestId } = context;
  const { orgId, tickets } = request;
  const orderId = await orderIdOf(request, context);
  await confirmEnd(request, context, { orderId, sentence: 'The money paid for them would be returned.' });
  const deps = { table, orgId, clock, requestId, payments: operatorPayments(table) };
  const requested = await requestRefund(
    deps,
    { orderId, tickets, members: membersWith(tickets), reason: null, returnedBy: 'later' },
    () => [],
  );
  await executePending(deps, orderId);
  switch (requested.outcome) {
    case 'missing':
      throw orderMissing(orgId, request.order);
    case 'unknown_members':
      throw ticketsMissing([]);
    case 'unknown_tickets':
      throw ticketsMissing(requested.ticketIds);
    case 'later_term':
      throw laterTerm(requested.memberIds);
    case 'charge_in_progress':
      throw chargeInProgress(orderId);
    case 'keep_not_payable':
    case 'keep_above_cost':
    case 'return_missing':
    case 'return_needless':
      throw new Fault(`The refund of the order ${orderId} names what no operator can.`);
    case 'already_refunded':
      if (tickets !== 'all' && requested.ticketIds.length < tickets.length) throw someRefunded(requested.ticketIds);
      return show(request, context, orderId, notRefunded);
    case 'recorded':
      return show(request, context, orderId, await refundOutcome(deps, requested));
  }
}

/** Without --yes, says which tickets would end, and what happens to the money. */
async function confirmEnd(
  { orgId, order: named, tickets, yes }: TicketsRequest,
  { table }: Context,
  { orderId, sentence }: { readonly orderId: number; readonly sentence: string },
): Promise<void> {
  const placed = await readOrderWithTickets(table, orgId, orderId);
  if (placed === undefined) throw orderMissing(orgId, named);
  const { order, memberships } = placed;
  const ending = placed.tickets.filter(({ ticketId }) => tickets === 'all' || tickets.includes(ticketId));
  const others = tickets === 'all' && memberships.length > 0 ? ` and ${memberships.length} memberships` : '';
  const total = moneyText(order.totalMinor, order.currency);
  const what = `${ending.length} of ${placed.tickets.length} tickets${others} of order ${orderId} (${order.status}, ${total})`;
  confirm(yes, `${what} would become invalid. ${sentence}`);
}

/** The worker that the stream wakes does the same, and is the only one that can call a real provider. */
async function executePending(deps: CheckoutDeps, orderId: number): Promise<void> {
  const basket = await readBasket(deps.table, deps.orgId, orderId);
  const refund = basket && pendingRefund(basket);
  if (basket === undefined || refund === undefined) return;
  if ((await executeRefund(deps, basket, refund)) !== 'pending') await executePending(deps, orderId);
}

async function refundOutcome(
  { table, orgId, requestId }: CheckoutDeps,
  { order, refund }: { readonly order: OrderRecord; readonly refund: RefundRecord },
): Promise<Outcome> {
  const basket = await readBasket(table, orgId, order.orderId);
  const current = refundsOf(order, basket).find(({ number }) => number === refund.number) ?? refund;
  const { state, amountMinor, awaitsReturn } = current;
  switch (state) {
    case 'refused':
      throw refusal('refund_refused', 'The payment provider refused. Nothing changed.');
    case 'pending':
      if (awaitsReturn === true) {
        const money = moneyText(amountMinor, order.currency);
        return [
          'to_return',
          `The tickets have ended. Staff hand ${money} over, and record it with record-refund-return.`,
        ];
      }
      return [
        'pending',
        'The refund is recorded. The service refunds the money within a few minutes, then invalidates the tickets.',
      ];
    case 'done': {
      const isPaid = amountMinor > 0;
      const money = isPaid ? `${moneyText(amountMinor, order.currency)} was returned.` : 'No money was paid here.';
      return ['refunded', `Refunded. order.refunded was sent (request ${requestId}). ${money}`];
    }
  }
}

async function cancel(request: TicketsRequest, context: Context): Promise<void> {
  const { table, clock, requestId } = context;
  const { orgId, tickets } = request;
  const orderId = await orderIdOf(request, context);
  await confirmEnd(request, context, { orderId, sentence: 'No money would be returned.' });
  const ended = await cancelOrRefundTickets({ table, orgId, clock, requestId }, orderId, {
    tickets,
    members: membersWith(tickets),
    to: 'cancelled',
  });
  switch (ended.outcome) {
    case 'missing':
      throw orderMissing(orgId, request.order);
    case 'unknown_members':
      throw ticketsMissing([]);
    case 'unknown_tickets':
      throw ticketsMissing(ended.ticketIds);
    case 'later_term':
      throw laterTerm(ended.memberIds);
    case 'plan_open':
      throw refusal(
        'plan_open',
        `A membership of order ${orderId} is not paid completely. Nothing changed. Refund it, or name the tickets to cancel.`,
      );
    case 'invoice_open':
      throw refusal('invoice_open', `Something is owed of order ${orderId}. Nothing changed. Refund the order.`);
    case 'charge_in_progress':
      throw chargeInProgress(orderId);
    case 'refund_in_progress':
      throw refusal(
        'refund_in_progress',
        `A refund of a membership of order ${orderId} is in progress. Nothing changed. Try again when it has ended.`,
      );
    case 'refused':
      throw refusal('stock_missing', `The prices of order ${orderId} have no stock to return tickets to.`);
    case 'unchanged':
      return show(request, context, orderId, notCancelled);
    case 'changed':
      return show(request, context, orderId, [
        'cancelled',
        `Cancelled. order.cancelled was sent (request ${requestId}). No money was returned.`,
      ]);
  }
}

function chargeInProgress(orderId: number) {
  return refusal(
    'payment_in_progress',
    `An instalment or a renewal of order ${orderId} is being charged. Nothing changed. Try again in a minute.`,
  );
}

/**
 * The payment providers that an operator can call. The sandbox is in the table. Only the service has the key of a real
 * provider: the refund is recorded, and the sweeper executes it.
 */
function operatorPayments(table: Table): Payments {
  const sandbox = sandboxProvider(table);
  return {
    current: async () => sandbox,
    byName: async (name) => (name === sandbox.name ? sandbox : undefined),
    timeoutMs: paymentTimeoutMs,
  };
}
