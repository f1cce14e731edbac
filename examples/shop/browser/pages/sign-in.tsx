import { useState } from 'preact/hooks';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { Organisation } from '../../../site/browser/resources.ts';
import { config } from '../../../site/browser/state/config.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { remember } from '../state/session.ts';

/** Where the fan came from. The offer of a ticket stays behind the #, where no server sees it. */
function afterSignIn(): string {
  switch (new URLSearchParams(location.search).get('back')) {
    case 'checkout':
      return '/checkout';
    case 'accept':
      return `/accept${location.hash}`;
    default:
      return '/my-tickets';
  }
}

/**
 * The sign-in page of the demo, where a visitor chooses one of its fans. A real shop would send the fan to its identity
 * provider and get the token back.
 */
export function SignInPage({ organisation }: { readonly organisation: Organisation }) {
  const [problem, setProblem] = useState<string>();

  async function signIn(account: string): Promise<void> {
    const response = await fetch('/sign-in', { method: 'POST', body: JSON.stringify({ account }) });
    if (!response.ok) return setProblem('You could not be signed in. Try again in a moment.');
    const signedIn = (await response.json()) as { readonly name: string; readonly token: string };
    remember({ fan: signedIn });
    navigate(afterSignIn());
  }

  return (
    <Page
      title={`Sign in to ${organisation.name}`}
      intro="This is the demo's identity provider. Who would you like to be?"
    >
      {problem !== undefined && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      <ul class="fans">
        {config().fans.map(({ id, name, note }) => (
          <li key={id}>
            <button
              type="button"
              class="button fan"
              onClick={() => void signIn(id).catch(() => setProblem('The shop could not be reached. Try again.'))}
            >
              Continue as {name}
              <span class="hint">{note}</span>
            </button>
          </li>
        ))}
      </ul>
    </Page>
  );
}
