import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface PageProps {
  readonly title: string;
  readonly intro?: ComponentChildren;
  /** Whether the colour of the club is behind the heading. */
  readonly hero?: boolean;
  /** Whether a part of the page takes the focus, and not the heading. */
  readonly hasOwnFocus?: boolean;
  readonly children?: ComponentChildren;
}

/** A page. Its heading gets the focus, so screen readers announce that the page has changed. */
export function Page({ title, intro, hero = false, hasOwnFocus = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    if (!hasOwnFocus) heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title, hasOwnFocus]);
  const top = (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {intro !== undefined && <p class="intro">{intro}</p>}
    </>
  );
  return (
    <main id="content" class="page">
      {hero ? <div class="hero">{top}</div> : top}
      {children}
    </main>
  );
}
