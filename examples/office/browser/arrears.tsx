import { Notice } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { Organisation } from '../../site/browser/resources.ts';
import { day, fullName, money } from '../../site/browser/state/format.ts';
import { CursorPages } from './cursor-pages.tsx';
import type { OverduePlan } from './resources.ts';

/** The members who have not paid an instalment, the oldest debt first: for staff who write to them. */
export function ArrearsPage({ organisation }: { readonly organisation: Organisation }) {
  return (
    <Page
      title="Members in arrears"
      intro="Whose instalment was declined and is not paid, the oldest first. The gates turn them away when the days of grace of their membership are over. Instalments that another system charges are not known here."
    >
      <CursorPages<OverduePlan>
        path="/v1/members/overdue?limit=50"
        what="the members"
        more="More"
        empty={({ isFirst }) => isFirst && <Notice tone="good" title="Nobody is in arrears" />}
      >
        {(plan) => (
          <li key={plan.plan_id} class="card">
            <Debt plan={plan} timeZone={organisation.timezone} />
          </li>
        )}
      </CursorPages>
    </Page>
  );
}

function Debt({ plan, timeZone }: { readonly plan: OverduePlan; readonly timeZone: string }) {
  const { members, overdue_since, overdue, outstanding, currency, action_required, order_id } = plan;
  const addresses = [...new Set(members.map(({ email_address }) => email_address))].filter((one) => one !== null);
  return (
    <>
      <h2>{members.map(fullName).join(', ')}</h2>
      <p class={action_required ? 'tag bad' : 'tag'}>
        {action_required ? 'the member has to pay' : 'we try the card again'}
      </p>
      <p>
        {money(overdue, currency)} since {day(overdue_since, timeZone)}
        <span class="hint">
          {money(outstanding, currency)} still to pay in all · member{' '}
          {members.map(({ member_number }) => member_number).join(', ')} · order {order_id}
        </span>
      </p>
      {addresses.map((address) => (
        <p key={address}>
          <a href={`mailto:${address}`}>{address}</a>
        </p>
      ))}
    </>
  );
}
