import type { ComponentChildren } from 'preact';
import { Link } from '../../site/browser/parts/link.tsx';
import type { Organisation } from '../../site/browser/resources.ts';
import { usePath } from '../../site/browser/state/router.ts';
import { Action } from './action.tsx';
import { type Staff, signOut } from './api.ts';
import { FindField } from './find.tsx';
import { shopLink } from './shop-link.ts';

const pages = [
  ['/office', 'Events'],
  ['/office/counter', 'Counter'],
  ['/office/arrears', 'Arrears'],
  ['/office/withdrawals', 'Withdrawals'],
  ['/office/campaigns', 'Codes'],
  ['/office/season', 'Season'],
] as const;

function StaffLinks() {
  const path = usePath();
  return (
    <>
      {pages.map(([to, title]) => (
        <li key={to}>
          <Link to={to} current={path === to}>
            {title}
          </Link>
        </li>
      ))}
      <li>
        <Action class="link" act={signOut}>
          Sign out
        </Action>
      </li>
    </>
  );
}

interface FrameProps {
  readonly organisation: Organisation;
  readonly staff: Staff | undefined;
  readonly children: ComponentChildren;
}

/** The frame of every page of the office. */
export function Frame({ organisation, staff, children }: FrameProps) {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <div class="bar">
          <Link to="/office" class="club">
            {organisation.name} · Office
          </Link>
          <nav aria-label="Office">
            <ul class="links">
              <li>
                <a href={shopLink('/')}>Shop</a>
              </li>
              {staff !== undefined && <StaffLinks />}
            </ul>
          </nav>
        </div>
        {staff !== undefined && <FindField />}
      </header>
      {children}
      <footer class="bottom">
        <p>{staff === undefined ? 'Only for staff.' : `Signed in: ${staff.name}`}</p>
        {staff !== undefined && (
          <p>
            For your programmers: <Link to="/office/requests">API requests</Link>
          </p>
        )}
      </footer>
    </>
  );
}
