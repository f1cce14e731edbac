import { useEffect, useRef, useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { ActionForm } from '../../../site/browser/parts/action-form.tsx';
import { Notice, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { Customer } from '../../../site/browser/resources.ts';
import { money } from '../../../site/browser/state/format.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { Field } from '../parts/field.tsx';
import type { Holder, MembershipType } from '../resources.ts';
import { addItem } from '../state/basket.ts';
import { day } from '../state/format.ts';
import { isSold, membershipTypes } from '../state/memberships.ts';
import { organisation } from '../state/organisation.ts';

/** What the club sells to its members. */
export function MembershipsPage() {
  const types = useLoaded(async () => (await membershipTypes()).filter(isSold), []);
  return (
    <Page
      title="Become a member"
      intro={`Join ${organisation().name}: a card with your number, for you or your family.`}
    >
      <WhenLoaded of={types} what="the memberships">
        {(offered) =>
          offered.length === 0 ? (
            <Notice title="No memberships are on sale at the moment" />
          ) : (
            <ul class="offers">
              {offered.map((type) => (
                <li key={type.membership_type_id} class="card">
                  <Offer type={type} />
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Page>
  );
}

function Offer({ type }: { readonly type: MembershipType }) {
  const [isChosen, setIsChosen] = useState(false);
  return (
    <>
      <h2>{type.title}</h2>
      <p>
        {type.category_title} · <span class="amount">{money(type.price, type.currency ?? 'AUD')}</span>
        <span class="hint">{facts(type).join(' · ')}</span>
      </p>
      {isChosen ? (
        <Names type={type} />
      ) : (
        // One person needs no name: the buyer becomes the member.
        <ActionButton class="button" act={async () => (type.persons > 1 ? setIsChosen(true) : add(type, []))}>
          Choose<span class="visually-hidden"> {type.title}</span>
        </ActionButton>
      )}
    </>
  );
}

function facts({ persons, term_months, expires, max_entries }: MembershipType): string[] {
  return [
    ...(persons > 1 ? [`for ${persons} people`] : []),
    ...(term_months !== null ? [`${term_months} months`] : []),
    ...(term_months === null && expires !== null ? [`until ${day(Date.parse(expires) / 1000)}`] : []),
    ...(max_entries !== null ? [`${max_entries} games`] : []),
  ];
}

/** Puts a membership for these people into the basket, and goes there. */
async function add({ membership_type_id }: MembershipType, holders: readonly Holder[]): Promise<void> {
  await addItem({ membership_type_id, ...(holders.length > 0 && { holders }) }, {});
  navigate('/basket');
}

/** Everybody who becomes a member. */
function Names({ type }: { readonly type: MembershipType }) {
  const [people, setPeople] = useState(Array.from({ length: type.persons }, () => ({ first_name: '', last_name: '' })));
  const change = (index: number, changes: Partial<Customer>): void =>
    setPeople(people.map((person, at) => (at === index ? { ...person, ...changes } : person)));
  const first = useRef<HTMLFieldSetElement>(null);
  // The button that had the focus is gone.
  useEffect(() => first.current?.querySelector('input')?.focus(), []);
  return (
    <ActionForm class="stack" act={() => add(type, people)} label="Add to the basket">
      {people.map(({ first_name, last_name }, index) => (
        <fieldset key={index} ref={index === 0 ? first : null} class="stack">
          <legend>Person {index + 1}</legend>
          <Field label="First name" value={first_name} onChange={(value) => change(index, { first_name: value })} />
          <Field label="Last name" value={last_name} onChange={(value) => change(index, { last_name: value })} />
        </fieldset>
      ))}
    </ActionForm>
  );
}
