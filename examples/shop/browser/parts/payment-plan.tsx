import { Instalments, isOwed } from '../../../site/browser/parts/instalments.tsx';
import type { PaymentPlan } from '../../../site/browser/resources.ts';
import { nowMs } from '../../../site/browser/state/config.ts';
import { money } from '../../../site/browser/state/format.ts';
import { organisation } from '../state/organisation.ts';
import { CardForm } from './card-form.tsx';

interface PlanProps {
  readonly plan: PaymentPlan;
  readonly memberId: string;
  readonly onChanged: (done: string) => void;
}

/** How a membership is paid in instalments, and the payment of one that was missed. */
export function Plan({ plan, memberId, onChanged }: PlanProps) {
  const { currency, instalments, disputed_at } = plan;
  const due = instalments.find((one) => isOwed(one) && one.due * 1000 <= nowMs());
  return (
    <section class="card" aria-labelledby="plan">
      <h2 id="plan">Instalments</h2>
      {disputed_at !== null && <p>You have disputed a charge, so we do not charge your card any more.</p>}
      <Instalments plan={plan} timezone={organisation().timezone} />
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
