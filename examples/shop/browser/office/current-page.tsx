import { usePath } from '../state/router.ts';
import { EventPage } from './event.tsx';
import { EventsPage } from './events.tsx';

/** The page of the path, such as /office/events/7. */
export function CurrentPage() {
  const [, , , eventId] = usePath().split('/');
  return eventId === undefined ? <EventsPage /> : <EventPage key={eventId} eventId={eventId} />;
}
