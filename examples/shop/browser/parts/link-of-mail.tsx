import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { QuietLink } from '../../../site/browser/parts/link.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';

interface LinkOfMailProps<Answer> {
  readonly title: string;
  readonly intro: string;
  /** What the click does, with the token of the link. */
  readonly act: (token: string) => Promise<Answer>;
  readonly yes: string;
  readonly no: { readonly to: string; readonly title: string };
  /** What is said if the service knows no such link. */
  readonly unknown?: string;
  /** What became of it. */
  readonly children: (answer: Answer) => ComponentChildren;
}

/**
 * The page of a link in a mail, such as `/confirm/7/wle_1#token`. The part after # is not sent to any server, so no log has the token. It needs
 * a click, because some programs open every link of a mail.
 */
export function LinkOfMail<Answer>({ title, intro, act, yes, no, unknown, children }: LinkOfMailProps<Answer>) {
  const [answer, setAnswer] = useState<Answer>();
  if (answer !== undefined) return children(answer);
  return (
    <Page title={title} intro={intro}>
      <div class="buttons">
        <ActionButton
          class="button"
          act={async () => setAnswer(await act(location.hash.slice(1)))}
          explain={(error) =>
            hasCode(error, 'resource_not_found')
              ? (unknown ?? 'This link is not complete, or it is too old.')
              : messageOf(error)
          }
        >
          {yes}
        </ActionButton>
        <QuietLink to={no.to}>{no.title}</QuietLink>
      </div>
    </Page>
  );
}
