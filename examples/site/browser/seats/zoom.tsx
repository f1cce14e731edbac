import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const [smallest, largest] = [1, 6];

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Something that two fingers, buttons, or the wheel with Ctrl make larger. One finger scrolls, as everywhere. */
export function Zoom({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const box = useRef<HTMLElement>(null);
  const [scale, setScale] = useState(smallest);
  /** The listeners are there as long as the page, so they ask for the scale. */
  const current = useRef(scale);
  current.current = scale;
  /** The point of the content that stays under the fingers. */
  const kept = useRef<{ readonly content: Point; readonly at: Point } | undefined>(undefined);

  function zoom(by: number, at?: Point): void {
    const element = box.current;
    if (element === null) return;
    const before = current.current;
    const under = at ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    const content = { x: (element.scrollLeft + under.x) / before, y: (element.scrollTop + under.y) / before };
    kept.current = { content, at: under };
    setScale(Math.min(largest, Math.max(smallest, before * by)));
  }

  useLayoutEffect(() => {
    if (kept.current === undefined) return;
    const { content, at } = kept.current;
    box.current?.scrollTo(content.x * scale - at.x, content.y * scale - at.y);
  }, [scale]);

  useEffect(() => (box.current === null ? undefined : listen(box.current, zoom)), []);

  return (
    <div class="zoom">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys. */}
      <section ref={box} class="zoom-box" tabIndex={0} aria-label={label}>
        <div class="zoom-content" style={{ width: `${scale * 100}%`, '--zoom': scale }}>
          {children}
        </div>
      </section>
      <p class="zoom-buttons">
        <button type="button" class="button quiet small" aria-label="Larger" onClick={() => zoom(1.5)}>
          +
        </button>
        <button type="button" class="button quiet small" aria-label="Smaller" onClick={() => zoom(1 / 1.5)}>
          −
        </button>
      </p>
    </div>
  );
}

function listen(box: HTMLElement, zoom: (by: number, at: Point) => void): () => void {
  /** How far apart the fingers were at the last move. */
  let apart: number | undefined;
  const inBox = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point => {
    const { left, top } = box.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const pinch = (event: TouchEvent): void => {
    const [one, other] = [...event.touches].map(inBox);
    if (one === undefined || other === undefined) {
      apart = undefined;
      return;
    }
    event.preventDefault();
    const distance = Math.hypot(one.x - other.x, one.y - other.y);
    if (apart !== undefined) zoom(distance / apart, { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
    apart = distance;
  };
  const wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, inBox(event));
  };
  // A passive listener could not keep the browser from making the whole page larger.
  const active = { passive: false };
  const touches = ['touchstart', 'touchmove', 'touchend'] as const;
  for (const name of touches) box.addEventListener(name, pinch, active);
  box.addEventListener('wheel', wheel, active);
  return () => {
    for (const name of touches) box.removeEventListener(name, pinch);
    box.removeEventListener('wheel', wheel);
  };
}
