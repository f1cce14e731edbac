import { useState } from 'preact/hooks';
import { Notice } from '../../site/browser/parts/notice.tsx';
import { money, tickets } from '../../site/browser/state/format.ts';
import { Action } from './action.tsx';
import { officeCall } from './api.ts';
import { OrderMembership } from './order-membership.tsx';
import { OrderTicket } from './order-ticket.tsx';
import { type Chosen, refundAmount, refundable, together } from './refund-amount.ts';
import { type ActionsProps, Refund } from './refund-form.tsx';

const active = 1;

/** The tickets and memberships of an order, to choose some of them, and what can be done with the chosen ones. */
export function OrderActions({ order, refunds, plans, onChanged }: ActionsProps) {
  const all = refundable(order, refunds);
  const [chosen, setChosen] = useState<Chosen>({ tickets: [], members: [] });
  const isPart = chosen.tickets.length + chosen.members.length > 0;
  const meant = isPart ? chosen : all;
  const valid = order.tickets.filter(({ ticket_id: id, ticket_status_id: status }) => {
    return status === active && meant.tickets.includes(id);
  });
  // Somebody would owe for tickets that are gone.
  const isOwed = order.payment_method === 'invoice' && order.outstanding > 0;
  return (
    <section class="stack">
      <h2>What was bought</h2>
      <ul class="lines">
        {order.tickets.map((ticket) => (
          <OrderTicket
            key={ticket.ticket_id}
            ticket={ticket}
            order={order}
            isUnderWay={ticket.ticket_status_id === active && !all.tickets.includes(ticket.ticket_id)}
            isChosen={chosen.tickets.includes(ticket.ticket_id)}
            onChoose={
              all.tickets.includes(ticket.ticket_id)
                ? () => setChosen({ ...chosen, tickets: toggled(chosen.tickets, [ticket.ticket_id]) })
                : undefined
            }
            onChanged={onChanged}
          />
        ))}
        {order.memberships.map((membership) => {
          const { membership_member_id: id } = membership;
          const choose = () => setChosen({ ...chosen, members: toggled(chosen.members, together(order, id)) });
          return (
            <OrderMembership
              key={id}
              {...{ membership, order, refunds }}
              isChosen={chosen.members.includes(id)}
              onChoose={all.members.includes(id) ? choose : undefined}
            />
          );
        })}
      </ul>
      {all.tickets.length + all.members.length === 0 ? (
        <Notice title="Nothing is left to refund or to cancel" />
      ) : (
        <>
          <p class="hint">
            {isPart ? 'The buttons below are for what is ticked.' : 'Tick some of them, or go on with everything.'}
          </p>
          <p class="buttons">
            <Refund {...{ order, refunds, plans, meant, isPart, onChanged }} />
            {order.order_status === 'confirmed' && !isOwed && (valid.length > 0 || chosen.members.length === 0) && (
              <Cancel {...{ order, refunds, plans, isPart, onChanged }} ids={valid.map(({ ticket_id }) => ticket_id)} />
            )}
          </p>
        </>
      )}
    </section>
  );
}

/** Of these, which belong together, all are taken out or all are added. */
const toggled = (ids: readonly number[], these: readonly number[]): readonly number[] => {
  const others = ids.filter((id) => !these.includes(id));
  return others.length < ids.length ? others : [...ids, ...these];
};

interface CancelProps extends ActionsProps {
  readonly ids: readonly number[];
  readonly isPart: boolean;
}

function Cancel({ order, refunds, plans, ids, isPart, onChanged }: CancelProps) {
  const what = isPart ? tickets(ids.length) : 'the order';
  const kept = isPart ? { tickets: ids, members: [] } : refundable(order, refunds);
  const amount = money(refundAmount({ order, refunds, plans }, kept), order.currency);

  async function cancel(idempotencyKey: string): Promise<void> {
    const body = isPart ? { ticket_ids: ids } : {};
    await officeCall('POST', `/v1/orders/${order.order_id}/cancel`, { body, idempotencyKey });
    onChanged('Cancelled. No money was returned.');
  }

  return (
    <Action
      act={cancel}
      ask={{
        title: `Cancel ${what} without a refund?`,
        text: (
          <p>
            The buyer gets nothing back: {amount} stays with you. What is cancelled is not valid any more and on sale
            again.
          </p>
        ),
        yes: `Cancel ${what}`,
      }}
    >
      Cancel {what} without a refund
    </Action>
  );
}
