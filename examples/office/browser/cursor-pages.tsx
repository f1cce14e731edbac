import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { WhenLoaded } from '../../site/browser/parts/notice.tsx';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';

interface PagesProps<Item> {
  /** With at least one query parameter. */
  readonly path: string;
  /** What is loading, such as: the requests. */
  readonly what: string;
  readonly more: string;
  /** What a last page without items says. */
  readonly empty: (page: { readonly isFirst: boolean; readonly hasMore: boolean }) => ComponentChildren;
  /** An item of the list, with its key. */
  readonly children: (item: Item) => ComponentChildren;
}

/** A list that goes on by cursor: the pages that were asked for so far, one below the other. */
export function CursorPages<Item>(props: PagesProps<Item>) {
  const [cursors, setCursors] = useState<readonly string[]>(['']);
  return (
    <>
      {cursors.map((cursor, index) => (
        <PageFrom
          {...props}
          key={cursor}
          cursor={cursor}
          onMore={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : undefined}
        />
      ))}
    </>
  );
}

interface FromProps<Item> extends PagesProps<Item> {
  /** Empty for the first page. */
  readonly cursor: string;
  /** Undefined if the next page is shown already. */
  readonly onMore: ((cursor: string) => void) | undefined;
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

function PageFrom<Item>({ path: first, what, more, empty, children, cursor, onMore }: FromProps<Item>) {
  const path = `${first}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
  const loaded = useLoaded(() => officeCall<Page<Item>>('GET', path), [path]);
  const list = useRef<HTMLOListElement>(null);
  // The button that asked for this page is gone.
  useEffect(() => {
    if (cursor !== '' && loaded.state === 'ready') list.current?.focus();
  }, [cursor, loaded.state]);
  return (
    <WhenLoaded of={loaded} what={what}>
      {({ data, next_cursor }) => (
        <>
          {data.length === 0 && onMore && empty({ isFirst: cursor === '', hasMore: next_cursor !== null })}
          <ol class="requests" ref={list} tabIndex={-1}>
            {data.map(children)}
          </ol>
          {next_cursor !== null && onMore && (
            <p>
              <button type="button" class="button quiet" onClick={() => onMore(next_cursor)}>
                {more}
              </button>
            </p>
          )}
        </>
      )}
    </WhenLoaded>
  );
}
