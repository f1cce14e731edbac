import { ConsentLines, consentName } from '../../site/browser/parts/consents.tsx';
import { Notice, WhenLoaded } from '../../site/browser/parts/notice.tsx';
import type { ConsentHistory } from '../../site/browser/resources.ts';
import { useLoaded } from '../../site/browser/state/use-loaded.ts';
import { officeCall } from './api.ts';
import type { KnownCustomer } from './resources.ts';

interface ConsentsProps {
  readonly of: KnownCustomer;
  readonly timezone: string;
}

/** What the customer agreed to and withdrew. */
export function CustomerConsents({ of: { org_customer_id }, timezone }: ConsentsProps) {
  const path = `/v1/customers/${encodeURIComponent(org_customer_id)}/consents`;
  const loaded = useLoaded(() => officeCall<ConsentHistory>('GET', path), [path]);
  return (
    <section aria-labelledby="consents">
      <h2 id="consents">Consents</h2>
      <WhenLoaded of={loaded} what="the consents">
        {({ current, data }) => (
          <>
            {current.length === 0 && <Notice title="Nothing was said" />}
            {current.map((consent) => (
              <p key={consentName(consent)}>
                {consentName(consent)}{' '}
                <span class={consent.given ? 'tag good' : 'tag'}>{consent.given ? 'Agreed' : 'Withdrawn'}</span>
              </p>
            ))}
            {data.length > 0 && (
              <details class="card">
                <summary>History</summary>
                <ConsentLines of={data} timezone={timezone} />
              </details>
            )}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}
