import type { ComponentChildren } from 'preact';
import { navigate } from '../state/router.ts';

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link within the site. A click with a modifier key opens a new tab, as everywhere. */
export function Link({ to, class: className, current = false, children }: LinkProps) {
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={to} class={className} onClick={follow} aria-current={current ? 'page' : undefined}>
      {children}
    </a>
  );
}

/** A link that looks like a button: where most people go next. */
export const ButtonLink = (props: LinkProps) => <Link class="button" {...props} />;
/** Another way on. */
export const QuietLink = (props: LinkProps) => <Link class="button quiet" {...props} />;
