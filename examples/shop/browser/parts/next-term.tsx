import { useId, useState } from 'preact/hooks';
import { nowMs } from '../../../site/browser/state/config.ts';
import { day, money } from '../../../site/browser/state/format.ts';
import { messageOf } from '../../../site/browser/state/messages.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import type { MembershipType } from '../resources.ts';
import { continueMembership } from '../state/basket.ts';
import { isSold, type OwnMembership } from '../state/memberships.ts';
import type { Message } from './card-form.tsx';

interface NextTermProps {
  readonly own: OwnMembership;
  readonly timezone: string;
  readonly onChanged: (message: Message) => void;
}

const cancelled = 3;

/** The next term, or another membership from now on. The basket shows what it costs, and nothing is bought before the payment. */
export function NextTerm({ own: { membership, terms, plan, types, next }, timezone, onChanged }: NextTermProps) {
  const { membership_member_id: memberId, membership_member_status_id: status, expires } = membership;
  if (status === cancelled || expires === null) return null;
  const typeId = terms.at(-1)?.membership_type_id;
  const isPaid = (plan?.outstanding ?? 0) === 0;
  // A term that was bought for later has to begin first.
  const hasLater = terms.some(({ from, state }) => state === 'active' && from > nowMs() / 1000);
  const others = isPaid && !hasLater ? othersThan(typeId, types.filter(isSold)) : [];
  if (next === undefined && others.length === 0) return null;
  function choose(item: Parameters<typeof continueMembership>[0]): void {
    continueMembership(item).then(
      () => navigate('/basket'),
      (error: unknown) => onChanged({ tone: 'bad', text: messageOf(error) }),
    );
  }
  return (
    <section class="card" aria-labelledby="next-term">
      <h2 id="next-term">Stay with us</h2>
      <p>You keep your number, your card and your seat. Everybody you bought it with stays, too.</p>
      {next?.from === 'now' && (
        <button type="button" class="button" onClick={() => choose({ renews: memberId })}>
          Renew for the next term
        </button>
      )}
      {typeof next?.from === 'number' && <p>You can renew it from {day(next.from, timezone)} on.</p>}
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
  readonly onChoose: (typeId: number) => void;
}

function OtherTypes({ types, onChoose }: OtherTypesProps) {
  const id = useId();
  const [chosen, setChosen] = useState<number>();
  const [first] = types;
  if (first === undefined) return null;
  return (
    <form
      onSubmit={(submitted) => {
        submitted.preventDefault();
        onChoose(chosen ?? first.membership_type_id);
      }}
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
      <button type="submit" class="button quiet">
        See what it costs
      </button>
    </form>
  );
}
