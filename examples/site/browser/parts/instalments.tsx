import type { Instalment, PaymentPlan } from '../resources.ts';
import { day, money } from '../state/format.ts';

/** What is said of an instalment, and in which tone. */
const states: Readonly<Record<Instalment['status'], readonly [string, string]>> = {
  planned: ['planned', ''],
  paid: ['paid', 'good'],
  failed: ['declined: we try again', 'bad'],
  action_required: ['declined: please pay', 'bad'],
  cancelled: ['not owed', ''],
};

export const isOwed = ({ status }: Instalment): boolean => status !== 'paid' && status !== 'cancelled';

/** What is paid of a plan, and what is due when. */
export function Instalments({ plan, timezone }: { readonly plan: PaymentPlan; readonly timezone: string }) {
  const { currency, instalments, paid, total } = plan;
  const toCome = instalments.filter(isOwed).reduce((sum, { amount }) => sum + amount, 0);
  return (
    <>
      <p>
        {money(paid, currency)} of {money(total, currency)} paid
        {toCome > 0 && `, ${money(toCome, currency)} to come`}
      </p>
      <ol class="instalments">
        {instalments.map(({ number, due, amount, status }) => (
          <li key={number}>
            <span>
              {day(due, timezone)} <span class={`tag ${states[status][1]}`}>{states[status][0]}</span>
            </span>{' '}
            <span class="amount">{money(amount, currency)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
