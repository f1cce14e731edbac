import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { QuietButton, SmallButton } from '../../../site/browser/parts/button.tsx';
import { Form } from '../../../site/browser/parts/form.tsx';
import { Problem, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { config } from '../../../site/browser/state/config.ts';
import { ApiError } from '../../../site/browser/state/request.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { Field } from '../parts/field.tsx';
import { Scanner } from '../parts/scanner.tsx';
import { gateEvents } from '../state/catalogue.ts';
import { remember, session } from '../state/session.ts';

/** For the staff at a gate: scans tickets with the camera, or with a typed code. It has no way to the pages of fans. */
export function GatePage() {
  const [, setChanges] = useState(0);
  const { gateToken: token, gateIsLight: isLight = false } = session();
  const change = (changes: Parameters<typeof remember>[0]): void => {
    remember(changes);
    setChanges((count) => count + 1);
  };
  return (
    <div class={`gate ${isLight ? '' : 'dark'}`}>
      {token === undefined ? (
        <Page title="Gate">
          <TokenForm onToken={(gateToken) => change({ gateToken })} />
        </Page>
      ) : (
        <Gate token={token}>
          <SmallButton onClick={() => change({ gateIsLight: !isLight })}>
            {isLight ? 'Dark screen' : 'Light screen'}
          </SmallButton>
          <SmallButton onClick={() => change({ gateToken: undefined })}>Use another gate token</SmallButton>
        </Gate>
      )}
    </div>
  );
}

function TokenForm({ onToken }: { readonly onToken: (token: string) => void }) {
  const [text, setText] = useState('');
  const { demoGateToken } = config();
  return (
    <Form class="card" onSubmit={() => onToken(text.trim())}>
      <p>This device needs a gate token. It can scan tickets, and nothing else.</p>
      <Field label="Gate token" verbatim value={text} onChange={setText} />
      <p class="buttons">
        <button type="submit" class="button">
          Open the gate
        </button>
        {demoGateToken != null && (
          <QuietButton onClick={() => onToken(demoGateToken)}>Use the token of the demo</QuietButton>
        )}
      </p>
    </Form>
  );
}

function Gate({ token, children }: { readonly token: string; readonly children: ComponentChildren }) {
  const events = useLoaded(() => gateEvents(token), [token]);
  const [chosen, setChosen] = useState<string>();
  if (events.state !== 'ready') {
    const isUnknown = events.state === 'failed' && events.error instanceof ApiError && events.error.status === 401;
    return (
      <Page title="Gate">
        {isUnknown ? (
          <Problem text="This gate token is not valid. Ask for a new one." />
        ) : (
          <WhenLoaded of={events} what="the events">
            {() => null}
          </WhenLoaded>
        )}
        <p class="buttons">{children}</p>
      </Page>
    );
  }
  const eventId = chosen ?? events.value[0]?.event_id ?? '';
  const choice = (
    <p>
      <select aria-label="Event" value={eventId} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
        {events.value.map(({ event_id, title, formatted_full_event_start_date }) => (
          <option key={event_id} value={event_id}>
            {title}, {formatted_full_event_start_date}
          </option>
        ))}
      </select>
    </p>
  );
  return (
    <main id="content">
      <h1 class="visually-hidden">Gate</h1>
      <Scanner key={eventId} eventId={eventId} token={token} top={choice}>
        {children}
      </Scanner>
    </main>
  );
}
