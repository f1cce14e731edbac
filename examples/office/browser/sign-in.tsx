import { useState } from 'preact/hooks';
import { Notice } from '../../site/browser/parts/notice.tsx';
import { Page } from '../../site/browser/parts/page.tsx';
import { config } from '../../site/browser/state/config.ts';
import { messageOf } from '../../site/browser/state/messages.ts';
import { ApiError, answerOf, send } from '../../site/browser/state/request.ts';
import { type Staff, signInWith } from './api.ts';

/** The accounts of the demo's identity provider. A real office would send its staff to the provider and get the token back. */
export function SignIn({ onSignedIn }: { readonly onSignedIn: (staff: Staff) => void }) {
  const [problem, setProblem] = useState<string>();
  const { staff, fans } = config();

  async function signIn(account: string): Promise<void> {
    setProblem(undefined);
    try {
      const response = await send('/sign-in', { method: 'POST', body: JSON.stringify({ account }) });
      onSignedIn(await signInWith((await answerOf<{ token: string }>(response)).token));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : messageOf(error));
    }
  }

  return (
    <Page title="Sign in to the office" intro="This is the demo's identity provider. Who would you like to be?">
      {problem !== undefined && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      <ul class="fans">
        {[...staff, ...fans].map(({ id, name, note }) => (
          <li key={id}>
            <button type="button" class="button fan" onClick={() => void signIn(id)}>
              Continue as {name}
              <span class="hint">{note}</span>
            </button>
          </li>
        ))}
      </ul>
    </Page>
  );
}
