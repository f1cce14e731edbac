import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { messageOf } from '../state/messages.ts';
import type { Loaded } from '../state/use-loaded.ts';
import { Button } from './button.tsx';

export type Tone = 'info' | 'good' | 'warning' | 'bad';

interface NoticeProps {
  readonly tone?: Tone;
  readonly title?: string;
  readonly text?: string | undefined;
  readonly children?: ComponentChildren;
}

/** A message in a box. A bad one interrupts screen readers, and is scrolled into view: the button may be far below it. */
export function Notice({ tone = 'info', title, text, children }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (tone === 'bad') box.current?.scrollIntoView({ block: 'center' });
  }, [tone]);
  return (
    <div ref={box} class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

/** What went wrong; nothing if nothing did. */
export const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : <Notice tone="bad" text={text} />;

/** That something is on its way. */
export const Loading = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="loading" role="status">
    {children}
  </p>
);

interface LoadedProps<Value> {
  readonly of: Loaded<Value>;
  /** What is loading, such as: the events. */
  readonly what: string;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows what was loaded, or that it is loading, or why it could not be loaded. */
export function WhenLoaded<Value>({ of: loaded, what, children }: LoadedProps<Value>) {
  switch (loaded.state) {
    case 'loading':
      return <Loading>Loading {what} …</Loading>;
    case 'failed':
      return (
        <Notice tone="bad" title={`We could not load ${what}.`}>
          <p>{messageOf(loaded.error)}</p>
          <Button onClick={loaded.retry}>Try again</Button>
        </Notice>
      );
    case 'ready':
      return <>{children(loaded.value)}</>;
  }
}
