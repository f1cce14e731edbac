import type { ComponentChildren } from 'preact';
import { Link } from '../../site/browser/parts/link.tsx';
import type { Organisation } from '../../site/browser/resources.ts';
import { type Staff, signOut } from './api.ts';
import { shopLink } from './shop-link.ts';

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
              {staff !== undefined && (
                <li>
                  <Link to="/office/arrears">Arrears</Link>
                </li>
              )}
              {staff !== undefined && (
                <li>
                  <Link to="/office/campaigns">Codes</Link>
                </li>
              )}
              {staff !== undefined && (
                <li>
                  <Link to="/office/requests">API requests</Link>
                </li>
              )}
              {staff !== undefined && (
                <li>
                  <button type="button" class="link" onClick={() => void signOut()}>
                    Sign out
                  </button>
                </li>
              )}
            </ul>
          </nav>
        </div>
      </header>
      {children}
      <footer class="bottom">
        <p>{staff === undefined ? 'Only for staff.' : `Signed in: ${staff.name}`}</p>
      </footer>
    </>
  );
}
