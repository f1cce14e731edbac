import type { Instalment, PaymentPlan } from '../resources.ts';
import { day, money } from '../state/format.ts';

const words: Readonly<Record<Instalment['status'], string>> = {
  planned: 'planned',
  paid: 'paid',
  failed: 'declined: we try again',
  action_required: 'declined: please pay',
  cancelled: 'not owed',
};

/** What is paid of a plan, and what is due when. */
export function Instalments({ plan, timezone }: { readonly plan: PaymentPlan; readonly timezone: string }) {
  const { currency, instalments, paid, total } = plan;
  const owed = instalments.filter(({ status }) => status !== 'paid' && status !== 'cancelled');
  const toCome = owed.reduce((sum, { amount }) => sum + amount, 0);
  return (
    <>
      <p>
        {money(paid, currency)} of {money(total, currency)} paid
        {toCome > 0 && `, ${money(toCome, currency)} to come`}
      </p>
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
    </>
  );
}

function tagOf({ status }: Instalment): string {
  if (status === 'paid') return 'tag good';
  return status === 'failed' || status === 'action_required' ? 'tag bad' : 'tag';
}
