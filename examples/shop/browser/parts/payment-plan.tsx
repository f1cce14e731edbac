import { nowMs } from '../../../site/browser/state/config.ts';
import { day, money } from '../../../site/browser/state/format.ts';
import type { Instalment, PaymentPlan } from '../resources.ts';
import { CardForm, type Message } from './card-form.tsx';

interface PlanProps {
  readonly plan: PaymentPlan;
  readonly memberId: string;
  readonly timezone: string;
  readonly onChanged: (message: Message) => void;
}

const words: Readonly<Record<Instalment['status'], string>> = {
  planned: 'planned',
  paid: 'paid',
  failed: 'declined: we try again',
  action_required: 'declined: please pay',
  cancelled: 'not owed',
};

const isOpen = ({ status }: Instalment): boolean => status !== 'paid' && status !== 'cancelled';

/** How a membership is paid in instalments, and the payment of one that was missed. */
export function Plan({ plan, memberId, timezone, onChanged }: PlanProps) {
  const { currency, instalments, paid, total, disputed_at } = plan;
  const due = instalments.find((one) => isOpen(one) && one.due * 1000 <= nowMs());
  return (
    <section class="card" aria-labelledby="plan">
      <h2 id="plan">Instalments</h2>
      <p>
        {money(paid, currency)} of {money(total, currency)} paid
      </p>
      {disputed_at !== null && <p>You have disputed a charge, so we do not charge your card any more.</p>}
      <ol class="instalments">
        {instalments.map((one) => (
          <li key={one.number}>
            <span>
              {day(one.due, timezone)} <span class={tagOf(one)}>{words[one.status]}</span>
            </span>{' '}
            <span class="amount">{money(one.amount, currency)}</span>
          </li>
        ))}
      </ol>
      {due !== undefined && (
        <CardForm
          what="instalment"
          memberId={memberId}
          number={due.number}
          label={`Pay ${money(due.amount, currency)}`}
          onChanged={onChanged}
        />
      )}
    </section>
  );
}

function tagOf({ status }: Instalment): string {
  if (status === 'paid') return 'tag good';
  return status === 'failed' || status === 'action_required' ? 'tag bad' : 'tag';
}
