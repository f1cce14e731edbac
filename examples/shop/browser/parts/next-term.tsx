import { useId, useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import { nowMs } from '../../../site/browser/state/config.ts';
import { money } from '../../../site/browser/state/format.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { cancelledMember, type MembershipType } from '../resources.ts';
import { addItem } from '../state/basket.ts';
import { day } from '../state/format.ts';
import { isSold, type OwnMembership } from '../state/memberships.ts';

/** The next term, or another membership from now on. The basket shows what it costs, and nothing is bought before the payment. */
export function NextTerm({ own }: { readonly own: OwnMembership }) {
  const { membership, terms, plan, types, next } = own;
  const { membership_member_id: memberId, membership_member_status_id: status, expires } = membership;
  if (status === cancelledMember || expires === null) return null;
  const typeId = terms.at(-1)?.membership_type_id;
  const isPaid = (plan?.outstanding ?? 0) === 0;
  // A term that was bought for later has to begin first.
  const hasLater = terms.some(({ from, state }) => state === 'active' && from > nowMs() / 1000);
  const others = isPaid && !hasLater ? othersThan(typeId, types.filter(isSold)) : [];
  if (next === undefined && others.length === 0) return null;
  const choose = async (item: Parameters<typeof addItem>[0]): Promise<void> => {
    await addItem(item);
    navigate('/basket');
  };
  return (
    <section class="card" aria-labelledby="next-term">
      <h2 id="next-term">Stay with us</h2>
      <p>You keep your number, your card and your seat. Everybody you bought it with stays, too.</p>
      {next?.from === 'now' && (
        <ActionButton class="button" act={() => choose({ renews: memberId })}>
          Renew for the next term
        </ActionButton>
      )}
      {typeof next?.from === 'number' && <p>You can renew it from {day(next.from)} on.</p>}
      {!isPaid && <p class="hint">You can change to another membership when all instalments are paid.</p>}
      <OtherTypes
        types={others}
        onChoose={(membership_type_id) => choose({ replaces: memberId, membership_type_id })}
      />
    </section>
  );
}

/** The memberships for as many people. */
function othersThan(typeId: number | undefined, types: readonly MembershipType[]): readonly MembershipType[] {
  const persons = types.find(({ membership_type_id }) => membership_type_id === typeId)?.persons;
  return types.filter(
    (type) => type.membership_type_id !== typeId && (persons === undefined || type.persons === persons),
  );
}

interface OtherTypesProps {
  readonly types: readonly MembershipType[];
  readonly onChoose: (typeId: number) => Promise<void>;
}

function OtherTypes({ types, onChoose }: OtherTypesProps) {
  const id = useId();
  const [chosen, setChosen] = useState<number>();
  const [first] = types;
  if (first === undefined) return null;
  return (
    <ActionForm
      act={() => onChoose(chosen ?? first.membership_type_id)}
      label="See what it costs"
      buttonClass="button quiet"
    >
      <p class="field">
        <label for={id}>Change to another membership from now on</label>
        <select id={id} onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}>
          {types.map(({ membership_type_id, title, price, currency }) => (
            <option key={membership_type_id} value={membership_type_id}>
              {title}, {money(price, currency ?? 'AUD')}
            </option>
          ))}
        </select>
      </p>
      <p class="hint">What you have paid for the rest of your membership is taken off the price.</p>
    </ActionForm>
  );
}
