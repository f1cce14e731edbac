import { useState } from 'preact/hooks';
import { ActionButton } from '../../../site/browser/parts/action-button.tsx';
import { ConsentLines, consentName } from '../../../site/browser/parts/consents.tsx';
import { Notice, WhenLoaded } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { Consent } from '../../../site/browser/resources.ts';
import { useLoaded } from '../../../site/browser/state/use-loaded.ts';
import { signInFirst } from '../parts/sign-in-first.tsx';
import { answer, isNews, news, newsText, ownConsents } from '../state/consents.ts';
import { asLinkedFan } from '../state/link-fan.ts';
import { organisation } from '../state/organisation.ts';

/** What the signed-in fan agreed to. Withdrawing is one press, as agreeing is. */
export const MyDetailsPage = signInFirst('My details', 'Sign in to see what you agreed to.', Consents);

function Consents() {
  const [changes, setChanges] = useState(0);
  const loaded = useLoaded(() => asLinkedFan(ownConsents), [changes]);
  return (
    <Page title="My details" intro="What you agreed to, and what you withdrew.">
      <WhenLoaded of={loaded} what="what you agreed to">
        {(history) =>
          history === undefined ? (
            <Notice title="Nothing yet" text={`Buy a ticket first: ${organisation().name} does not know you yet.`} />
          ) : (
            <>
              <section class="card" aria-labelledby="current">
                <h2 id="current">You can be reached</h2>
                {choicesOf(history.current).map((choice) => (
                  <ChoiceRow
                    key={consentName(choice)}
                    choice={choice}
                    act={() => answer(choice, !choice.given).then(() => setChanges(changes + 1))}
                  />
                ))}
              </section>
              {history.data.length > 0 && (
                <section class="card" aria-labelledby="history">
                  <h2 id="history">What you said</h2>
                  <ConsentLines of={history.data} timezone={organisation().timezone} />
                </section>
              )}
            </>
          )
        }
      </WhenLoaded>
    </Page>
  );
}

type Choice = Pick<Consent, 'purpose' | 'channel' | 'given'>;

function ChoiceRow({ choice, act }: { readonly choice: Choice; readonly act: () => Promise<void> }) {
  const { given } = choice;
  return (
    <div class="row">
      <p>
        {isNews(choice) && !given ? newsText() : consentName(choice)}{' '}
        <span class={given ? 'tag good' : 'tag'}>{given ? 'Agreed' : 'No'}</span>
      </p>
      <ActionButton act={act}>
        {given ? 'Withdraw' : 'Agree'}
        <span class="visually-hidden">: {consentName(choice)}</span>
      </ActionButton>
    </div>
  );
}

/** What counts, and what the shop asks for if nothing was said about it. */
function choicesOf(current: readonly Consent[]): readonly Choice[] {
  return current.some(isNews) ? current : [...current, { ...news, given: false }];
}
