import { useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { Link } from '../../../site/browser/parts/link.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { WaitingEntry } from '../../../site/browser/resources.ts';
import { hasCode, messageOf } from '../../../site/browser/state/messages.ts';
import { OnTheList } from '../parts/waiting-list.tsx';
import { call } from '../state/api.ts';

interface ConfirmWaitingPageProps {
  readonly eventId: string;
  readonly entryId: string;
}

/** The page of the link in the first mail: `/confirm/7/wle_1#token`. It needs a click, because some programs open every link of a mail. */
export function ConfirmWaitingPage({ eventId, entryId }: ConfirmWaitingPageProps) {
  const [entry, setEntry] = useState<WaitingEntry>();
  async function confirm(): Promise<void> {
    const body = { confirm_token: location.hash.slice(1) };
    setEntry(await call('POST', `/v1/events/${eventId}/waiting_list/${entryId}/confirm`, { body }));
  }

  if (entry !== undefined) return <Confirmed entry={entry} />;
  return (
    <Page title="Confirm your place" intro="Somebody asked to put this address on a waiting list. Was it you?">
      <div class="buttons">
        <ActionButton
          class="button"
          act={confirm}
          explain={(error) =>
            hasCode(error, 'resource_not_found') ? 'This link is not complete, or it is too old.' : messageOf(error)
          }
        >
          Join the waiting list
        </ActionButton>
        <Link to={`/events/${eventId}`} class="button quiet">
          See the event
        </Link>
      </div>
    </Page>
  );
}

function Confirmed({ entry }: { readonly entry: WaitingEntry }) {
  const { event_id, status } = entry;
  if (status !== 'waiting' && status !== 'offered') {
    return (
      <Page
        title="You are not on the list"
        intro="This link was used before. You can join again on the page of the event."
      >
        <Link to={`/events/${event_id}`} class="button">
          See the event
        </Link>
      </Page>
    );
  }
  return (
    <Page title="You are on the waiting list">
      <OnTheList entry={entry} />
    </Page>
  );
}
