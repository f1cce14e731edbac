import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { config } from '../../../site/browser/state/config.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { Field } from '../parts/field.tsx';
import { Scanner } from '../parts/scanner.tsx';
import { upcomingEvents } from '../state/catalogue.ts';
import { remember, session } from '../state/session.ts';

/** For the staff at a gate: scans tickets with the camera, or with a typed code. */
export function GatePage() {
  const [token, setToken] = useState(session().gateToken);
  const use = (text: string | undefined): void => {
    remember({ gateToken: text });
    setToken(text);
  };
  return (
    <Page title="Gate">
      {token === undefined ? <TokenForm onToken={use} /> : <Gate token={token} onLeave={() => use(undefined)} />}
    </Page>
  );
}

function TokenForm({ onToken }: { readonly onToken: (token: string) => void }) {
  const [text, setText] = useState('');
  const { demoGateToken } = config();
  return (
    <form
      class="card"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        onToken(text.trim());
      }}
    >
      <p>This device needs a gate token. It can scan tickets, and nothing else.</p>
      <Field label="Gate token" value={text} onChange={setText} />
      <p class="buttons">
        <button type="submit" class="button">
          Open the gate
        </button>
        {demoGateToken != null && (
          <button type="button" class="button quiet" onClick={() => onToken(demoGateToken)}>
            Use the token of the demo
          </button>
        )}
      </p>
    </form>
  );
}

function Gate({ token, onLeave }: { readonly token: string; readonly onLeave: () => void }) {
  const events = useLoaded(upcomingEvents, []);
  const [chosen, setChosen] = useState<string>();
  return (
    <WhenLoaded of={events} what="the events">
      {(all) => {
        const eventId = chosen ?? all[0]?.event_id ?? '';
        return (
          <>
            <p class="field">
              <label for="gate-event">Event</label>
              <select id="gate-event" value={eventId} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
                {all.map(({ event_id, title, formatted_full_event_start_date }) => (
                  <option key={event_id} value={event_id}>
                    {title}, {formatted_full_event_start_date}
                  </option>
                ))}
              </select>
            </p>
            <Scanner key={eventId} eventId={eventId} token={token} />
            <p>
              <button type="button" class="button quiet small" onClick={onLeave}>
                Use another gate token
              </button>
            </p>
          </>
        );
      }}
    </WhenLoaded>
  );
}
