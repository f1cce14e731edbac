import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import { config } from '../../../site/browser/state/config.ts';
import { navigate } from '../../../site/browser/state/router.ts';
import { askShop } from '../state/api.ts';
import { organisation } from '../state/organisation.ts';
import { remember } from '../state/session.ts';

/** Where the fan came from. The offer of a ticket stays behind the #, where no server sees it. */
function afterSignIn(): string {
  const back = new URLSearchParams(location.search).get('back') ?? '';
  // Only a page of this shop: anyone can write a query.
  return /^(\/[\w-]+)+$/.test(back) ? back + location.hash : '/my-tickets';
}

/**
 * The sign-in page of the demo, where a visitor chooses one of its fans. A real shop would send the fan to its identity
 * provider and get the token back.
 */
export function SignInPage() {
  async function signIn(account: string): Promise<void> {
    const fan = await askShop<{ readonly name: string; readonly token: string }>('/sign-in', { account });
    remember({ fan, customer: undefined, invoiceAddress: undefined });
    navigate(afterSignIn());
  }

  return (
    <Page
      title={`Sign in to ${organisation().name}`}
      intro="This is the demo's identity provider. Who would you like to be?"
    >
      <ul class="stack">
        {config().fans.map(({ id, name, note }) => (
          <li key={id}>
            <ActionButton
              class="button fan"
              act={() => signIn(id)}
              explain={() => 'You could not be signed in. Try again in a moment.'}
            >
              Continue as {name}
              <span class="hint">{note}</span>
            </ActionButton>
          </li>
        ))}
      </ul>
    </Page>
  );
}
