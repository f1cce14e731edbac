import { ButtonLink } from '../../../site/browser/parts/link.tsx';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { WaitingEntry } from '../../../site/browser/resources.ts';
import { LinkOfMail } from '../parts/link-of-mail.tsx';
import { OnTheList } from '../parts/waiting-list.tsx';
import { call } from '../state/api.ts';

interface WaitingPageProps {
  readonly eventId: string;
  readonly entryId: string;
}

const pathOf = ({ eventId, entryId }: WaitingPageProps): string => `/v1/events/${eventId}/waiting_list/${entryId}`;

/** The page of the link in the first mail: `/confirm/7/wle_1#token`. */
export function ConfirmWaitingPage(props: WaitingPageProps) {
  return (
    <LinkOfMail<WaitingEntry>
      title="Confirm your place"
      intro="Somebody asked to put this address on a waiting list. Was it you?"
      act={(token) => call('POST', `${pathOf(props)}/confirm`, { body: { confirm_token: token } })}
      yes="Join the waiting list"
      no={{ to: `/events/${props.eventId}`, title: 'See the event' }}
    >
      {(entry) =>
        entry.status === 'waiting' || entry.status === 'offered' ? (
          <Page title="You are on the waiting list">
            <OnTheList entry={entry} />
          </Page>
        ) : (
          <Page
            title="You are not on the list"
            intro="This link was used before. You can join again on the page of the event."
          >
            <ButtonLink to={`/events/${entry.event_id}`}>See the event</ButtonLink>
          </Page>
        )
      }
    </LinkOfMail>
  );
}

/** The page of the link in later mails: `/waiting/7/wle_1#token`. One click leaves the list. */
export function LeaveWaitingPage(props: WaitingPageProps) {
  return (
    <LinkOfMail<WaitingEntry>
      title="Leave the waiting list"
      intro="Tickets that are kept for you go to the next in line."
      act={(token) => call('DELETE', `${pathOf(props)}?entry_token=${encodeURIComponent(token)}`)}
      yes="Leave the list"
      no={{ to: `/events/${props.eventId}`, title: 'Stay on it' }}
      unknown="This link is not complete, or the list has ended long ago."
    >
      {({ status }) => (
        <Page title={status === 'bought' ? 'You have your tickets' : 'You have left the list'}>
          <Notice
            tone="good"
            text={
              status === 'bought' ? 'There is nothing to leave: enjoy the event.' : 'We keep nothing for you any more.'
            }
          />
          <ButtonLink to="/">See all events</ButtonLink>
        </Page>
      )}
    </LinkOfMail>
  );
}
