import { render } from 'preact';
import { messageOf } from '../state/messages.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';

/** The only page of a site that could not begin. */
export function showClosed(title: string, error: unknown, root: Element): void {
  render(
    <Page title={title}>
      <Notice tone="bad">
        <p>{messageOf(error)}</p>
        <Button onClick={() => location.reload()}>Try again</Button>
      </Notice>
    </Page>,
    root,
  );
}
