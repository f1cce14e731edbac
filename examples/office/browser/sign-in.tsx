import { Page } from '../../site/browser/parts/page.tsx';
import { config } from '../../site/browser/state/config.ts';
import { answerOf, send } from '../../site/browser/state/request.ts';
import { Action } from './action.tsx';
import { type Staff, signInWith } from './api.ts';

/** The accounts of the demo's identity provider. A real office would send its staff to the provider and get the token back. */
export function SignIn({ onSignedIn }: { readonly onSignedIn: (staff: Staff) => void }) {
  const { staff, fans } = config();

  async function signIn(account: string): Promise<void> {
    const response = await send('/sign-in', { method: 'POST', body: JSON.stringify({ account }) });
    onSignedIn(await signInWith((await answerOf<{ token: string }>(response)).token));
  }

  return (
    <Page title="Sign in to the office" intro="This is the demo's identity provider. Who would you like to be?">
      <ul class="fans">
        {[...staff, ...fans].map(({ id, name, note }) => (
          <li key={id}>
            <Action class="button fan" act={() => signIn(id)}>
              Continue as {name}
              <span class="hint">{note}</span>
            </Action>
          </li>
        ))}
      </ul>
    </Page>
  );
}
