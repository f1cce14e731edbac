import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { SmallButton } from '../parts/button.tsx';

/** The steps of the buttons. Fingers stop anywhere between the first and the last. */
const steps = [1, 1.5, 2.25, 3.5, 5, 8];
const [smallest, largest] = [1, 8];

/** Makes what is shown larger by a factor, around a point of the window. */
export type ZoomBy = (by: number, at: { readonly clientX: number; readonly clientY: number }) => void;

type Point = Pick<DOMPointReadOnly, 'x' | 'y'>;

interface ZoomProps {
  readonly label: string;
  /** What is shown. It may make itself larger. */
  readonly children: (zoom: ZoomBy) => ComponentChildren;
}

/** Something that two fingers, buttons, or the wheel with Ctrl make larger. One finger scrolls, as everywhere. */
export function Zoom({ label, children }: ZoomProps) {
  const box = useRef<HTMLElement>(null);
  const [scale, setScale] = useState<number>(smallest);
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
          {children((by, at) => box.current !== null && zoom(by, pointIn(box.current, at)))}
        </div>
      </section>
      <p class="buttons zoom-buttons">
        <ZoomButton label="Larger" sign="+" to={steps.find((step) => step > scale)} onZoom={(to) => zoom(to / scale)} />
        <ZoomButton
          label="Smaller"
          sign="−"
          to={steps.findLast((step) => step < scale)}
          onZoom={(to) => zoom(to / scale)}
        />
      </p>
    </div>
  );
}

interface ZoomButtonProps {
  readonly label: string;
  readonly sign: string;
  /** Undefined at the end: the button stays, so the focus does too. */
  readonly to: number | undefined;
  readonly onZoom: (to: number) => void;
}

const ZoomButton = ({ label, sign, to, onZoom }: ZoomButtonProps) => (
  <SmallButton aria-label={label} aria-disabled={to === undefined} onClick={() => to !== undefined && onZoom(to)}>
    {sign}
  </SmallButton>
);

function pointIn(box: HTMLElement, { clientX, clientY }: Parameters<ZoomBy>[1]): Point {
  const { left, top } = box.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

function listen(box: HTMLElement, zoom: (by: number, at: Point) => void): () => void {
  /** How far apart the fingers were at the last move. */
  let apart: number | undefined;
  const inBox = (at: Parameters<ZoomBy>[1]): Point => pointIn(box, at);
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
  const left = new AbortController();
  // A passive listener could not keep the browser from making the whole page larger.
  const active = { passive: false, signal: left.signal };
  for (const name of ['touchstart', 'touchmove', 'touchend'] as const) box.addEventListener(name, pinch, active);
  box.addEventListener('wheel', wheel, active);
  return () => left.abort();
}
