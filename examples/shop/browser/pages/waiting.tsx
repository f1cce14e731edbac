import { useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { Link } from '../../../site/browser/parts/link.tsx';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { WaitingEntry } from '../../../site/browser/resources.ts';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { call } from '../state/api.ts';

interface WaitingPageProps {
  readonly eventId: string;
  readonly entryId: string;
}

/**
 * The page of a link in a mail: `/waiting/7/wle_1#token`. One click leaves the list. The part after # is not sent to any server, so no
 * log has the token; and a program that opens every link of a mail leaves nobody.
 */
export function WaitingPage({ eventId, entryId }: WaitingPageProps) {
  const [left, setLeft] = useState<WaitingEntry>();
  async function leave(): Promise<void> {
    const token = encodeURIComponent(location.hash.slice(1));
    setLeft(await call('DELETE', `/v1/events/${eventId}/waiting_list/${entryId}?entry_token=${token}`));
  }

  if (left !== undefined) {
    const hasBought = left.status === 'bought';
    return (
      <Page title={hasBought ? 'You have your tickets' : 'You have left the list'}>
        <Notice tone="good">
          <p>{hasBought ? 'There is nothing to leave: enjoy the event.' : 'We keep nothing for you any more.'}</p>
        </Notice>
        <Link to="/" class="button">
          See all events
        </Link>
      </Page>
    );
  }
  return (
    <Page title="Leave the waiting list" intro="Tickets that are kept for you go to the next in line.">
      <div class="buttons">
        <ActionButton
          class="button"
          act={leave}
          explain={(error) =>
            hasCode(error, 'resource_not_found')
              ? 'This link is not complete, or the list has ended long ago.'
              : messageOf(error)
          }
        >
          Leave the list
        </ActionButton>
        <Link to={`/events/${eventId}`} class="button quiet">
          Stay on it
        </Link>
      </div>
    </Page>
  );
}
