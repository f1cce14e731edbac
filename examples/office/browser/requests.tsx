import { useState } from 'preact/hooks';
import { Notice } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import type { Organisation } from '../../site/browser/resources.ts';
import { secondOf } from '../../site/browser/state/format.ts';
import { CursorPages } from './cursor-pages.tsx';
import type { Field } from './fields.ts';
import { FormField } from './form-field.tsx';
import type { LoggedRequest } from './resources.ts';

const statuses = [200, 201, 202, 400, 402, 403, 404, 409, 412, 413, 415, 429, 500, 503];

const fields: readonly Field[] = [
  { name: 'operation_id', label: 'Operation', kind: 'text', hint: 'Such as check-out-basket.' },
  {
    name: 'status',
    label: 'Answer',
    kind: 'choice',
    choices: [{ value: '', title: 'All' }, ...statuses.map((status) => ({ value: status, title: String(status) }))],
  },
  { name: 'key_id', label: 'Key', kind: 'text', hint: 'The id of an API key, not the key.' },
];

interface RequestsProps {
  readonly organisation: Organisation;
}

/** What the programs of the organisation have sent to the API, and what was answered: for support. */
export function RequestsPage({ organisation }: RequestsProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [shown, setShown] = useState(texts);
  const query = new URLSearchParams({ limit: '50', ...shown }).toString();
  return (
    <Page
      title="API requests"
      intro="What your programs have sent with API keys in the last 14 days, and what was answered. A new request is shown after six seconds."
    >
      <form
        class="request-filter card"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          const entered = Object.entries(texts).map(([name, text]) => [name, text.trim()]);
          setShown(Object.fromEntries(entered.filter(([, text]) => text !== '')));
        }}
      >
        {fields.map((field) => (
          <FormField
            key={field.name}
            field={field}
            text={texts[field.name] ?? ''}
            problem={undefined}
            onChange={(text) => setTexts((all) => ({ ...all, [field.name]: text }))}
          />
        ))}
        <button type="submit" class="button">
          Show
        </button>
      </form>
      <CursorPages<LoggedRequest>
        key={query}
        path={`/v1/requests?${query}`}
        what="the requests"
        more="Older requests"
        empty={({ hasMore }) => (
          <Notice title={hasMore ? 'None of the last 1,000 requests match' : 'No more requests'} />
        )}
      >
        {(request) => (
          <li key={request.request_id} class="card">
            <Row request={request} timeZone={organisation.timezone} />
          </li>
        )}
      </CursorPages>
    </Page>
  );
}

function Row({ request, timeZone }: { readonly request: LoggedRequest; readonly timeZone: string }) {
  const { at, operation_id, status, error_code, duration_ms, key_id, request_id } = request;
  return (
    <>
      <h2>{operation_id}</h2>
      <p class={status < 400 ? 'tag good' : 'tag bad'}>
        {status} {error_code}
      </p>
      <p class="hint">
        <time dateTime={new Date(at * 1000).toISOString()}>{secondOf(at, timeZone)}</time> · {duration_ms} ms · key{' '}
        {key_id} · <code>{request_id}</code>
      </p>
    </>
  );
}
