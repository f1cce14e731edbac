import { useState } from 'preact/hooks';
import type { Question } from '../../site/browser/parts/action-button.tsx';
import { Notice } from '../../site/browser/parts/notice.tsx';
import { Action } from './action.tsx';
import { officeCall } from './api.ts';
import type { OfficeEvent } from './resources.ts';
import { inStaffWords } from './staff-words.ts';

type StatusId = OfficeEvent['event_status_id'];

interface Step {
  readonly to: StatusId;
  readonly button: string;
  readonly done: string;
  readonly ask?: Question;
}

const publish: Step = { to: '1', button: 'Publish', done: 'Published: fans see it within seconds.' };

/** What staff can do with an event, by its status. The API judges whether it is possible. */
const steps: Readonly<Record<StatusId, readonly Step[]>> = {
  0: [
    publish,
    {
      to: '2',
      button: 'Delete',
      done: 'Deleted.',
      ask: { title: 'Delete this event?', text: <p>It is gone for good.</p>, yes: 'Delete the event' },
    },
  ],
  1: [
    {
      to: '3',
      button: 'Close the sale',
      done: 'Closed: nothing more is sold.',
      ask: {
        title: 'Close the sale?',
        text: <p>Nothing more is sold until you open the sale again. Tickets that are sold stay valid.</p>,
        yes: 'Close the sale now',
      },
    },
    { to: '0', button: 'Back to draft', done: 'A draft again: only staff see it.' },
  ],
  2: [],
  3: [{ ...publish, button: 'Open the sale again' }],
};

interface CheckedEvent extends OfficeEvent {
  readonly warnings?: readonly { readonly message: string }[];
}

interface StatusButtonsProps {
  readonly event: OfficeEvent;
  readonly onChanged: (message: string) => void;
}

/** Publishes, closes or deletes an event. */
export function StatusButtons({ event, onChanged }: StatusButtonsProps) {
  const [warnings, setWarnings] = useState<readonly string[]>([]);

  function patch(to: StatusId, query = ''): Promise<CheckedEvent> {
    const body = { event_status_id: to };
    return officeCall('PATCH', `/v1/events/${event.event_id}${query}`, { body, version: event.version });
  }

  async function take({ to, done }: Step): Promise<void> {
    await patch(to);
    setWarnings([]);
    onChanged(done);
  }

  /** Before an event is published, the API is asked what may be wrong with it. Nothing is changed by that. */
  async function check(step: Step): Promise<void> {
    const { warnings: found = [] } = step.to === '1' ? await patch('1', '?dry_run=true') : {};
    if (found.length === 0) return take(step);
    setWarnings(found.map(({ message }) => inStaffWords(message)));
  }

  return (
    <>
      {warnings.length > 0 && (
        <Notice tone="warning" title="Before you publish">
          <ul>
            {warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <Action class="button small" act={() => take(publish)}>
            Publish all the same
          </Action>
        </Notice>
      )}
      {steps[event.event_status_id].map((step) => (
        <Action
          key={step.to}
          class={step.to === '1' ? 'button small' : 'button quiet small'}
          ask={step.ask}
          act={() => check(step)}
        >
          {step.button}
        </Action>
      ))}
    </>
  );
}
