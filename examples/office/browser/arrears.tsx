import { useState } from 'preact/hooks';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { Organisation } from '../../site/browser/resources.ts';
import { day, money } from '../../site/browser/state/format.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import type { OverduePlan } from './resources.ts';

/** The members who have not paid an instalment, the oldest debt first: for staff who write to them. */
export function ArrearsPage({ organisation }: { readonly organisation: Organisation }) {
  const [cursors, setCursors] = useState<readonly string[]>(['']);
  return (
    <Page
      title="Members in arrears"
      intro="Whose instalment was declined and is not paid, the oldest first. The gates turn them away when the days of grace of their membership are over."
    >
      {cursors.map((cursor, index) => (
        <ArrearsFrom
          key={cursor}
          cursor={cursor}
          timeZone={organisation.timezone}
          onMore={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : undefined}
        />
      ))}
    </Page>
  );
}

interface FromProps {
  /** Empty for the first page. */
  readonly cursor: string;
  readonly timeZone: string;
  /** Undefined if the next page is shown already. */
  readonly onMore: ((cursor: string) => void) | undefined;
}

interface OverdueList {
  readonly data: readonly OverduePlan[];
  readonly next_cursor: string | null;
}

function ArrearsFrom({ cursor, timeZone, onMore }: FromProps) {
  const path = `/v1/members/overdue?limit=50${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
  const loaded = useLoaded(() => officeCall<OverdueList>('GET', path), [path]);
  return (
    <WhenLoaded of={loaded} what="the members">
      {({ data, next_cursor }) => (
        <>
          {data.length === 0 && cursor === '' && <Notice tone="good" title="Nobody is in arrears" />}
          <ol class="requests">
            {data.map((plan) => (
              <li key={plan.plan_id} class="card">
                <Debt plan={plan} timeZone={timeZone} />
              </li>
            ))}
          </ol>
          {next_cursor !== null && onMore && (
            <p>
              <button type="button" class="button quiet" onClick={() => onMore(next_cursor)}>
                More
              </button>
            </p>
          )}
        </>
      )}
    </WhenLoaded>
  );
}

function Debt({ plan, timeZone }: { readonly plan: OverduePlan; readonly timeZone: string }) {
  const { members, overdue_since, overdue, outstanding, currency, action_required, order_id } = plan;
  const addresses = [...new Set(members.map(({ email_address }) => email_address))].filter((one) => one !== null);
  return (
    <>
      <h2>
        {members.map(({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(' ')).join(', ')}
      </h2>
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
