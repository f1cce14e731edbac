import { render } from 'preact';
import { messageOf } from '../state/messages.ts';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';

/** The only page of a site that could not begin. */
export function showClosed(title: string, error: unknown, root: Element): void {
  render(
    <Page title={title}>
      <Notice tone="bad">
        <p>{messageOf(error)}</p>
        <button type="button" class="button" onClick={() => location.reload()}>
          Try again
        </button>
      </Notice>
    </Page>,
    root,
  );
}
