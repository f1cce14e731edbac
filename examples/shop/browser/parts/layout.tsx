import type { ComponentChildren } from 'preact';
import { Link } from '../../../site/browser/parts/link.tsx';
import { config } from '../../../site/browser/state/config.ts';
import { usePath } from '../../../site/browser/state/router.ts';
import { useBasket } from '../state/basket.ts';
import { organisation } from '../state/organisation.ts';
import { Countdown } from './countdown.tsx';
import { initials, pages } from './frame.ts';

/** The law of the EU asks for it on every page. */
const rights = [['/withdraw', 'Withdraw from a purchase']] as const;

const staffPages = [
  ['/gate', 'Gate'],
  ['/webhooks', 'Webhooks'],
] as const;

/** The frame of every page: name, navigation, basket, and the pages of the staff at the bottom. */
export function Layout({ children }: { children: ComponentChildren }) {
  const path = usePath();
  const { officeUrl } = config();
  const { name } = organisation();
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <div class="bar">
          <Link to="/" class="club">
            <span class="crest" aria-hidden="true">
              {initials(name)}
            </span>
            {name}
          </Link>
          <nav aria-label="Shop">
            <Links of={pages} path={path} />
          </nav>
        </div>
      </header>
      <Countdown />
      {children}
      <footer class="bottom">
        <p>This is a sample shop. It sells tickets of the demo, and no money moves.</p>
        <nav aria-label="Your rights">
          <Links of={rights} path={path} />
        </nav>
        <nav aria-label="Staff">
          <Links of={staffPages} path={path}>
            {/* A document of its own, with another script. */}
            {officeUrl !== undefined && (
              <li>
                <a href={officeUrl}>Office</a>
              </li>
            )}
          </Links>
        </nav>
      </footer>
    </>
  );
}

interface LinksProps {
  readonly of: readonly (readonly [string, string])[];
  readonly path: string;
  readonly children?: ComponentChildren;
}

function Links({ of, path, children }: LinksProps) {
  return (
    <ul class="links">
      {of.map(([to, title]) => (
        <li key={to}>
          <Link to={to} current={path === to}>
            {title}
            {to === '/basket' && <Count />}
          </Link>
        </li>
      ))}
      {children}
    </ul>
  );
}

/** How many things are in the basket. */
function Count() {
  const count = useBasket()?.items.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
  if (count === 0) return null;
  return (
    <>
      {' '}
      <span class="count">{count}</span>
    </>
  );
}
