import { useEffect, useState } from 'preact/hooks';
import { Notice } from '../../../site/browser/parts/notice.tsx';
import { Page } from '../../../site/browser/parts/page.tsx';
import type { Arrival } from '../resources.ts';

/** What the shop's server has received from Gateline. A real shop would show this to its staff only. */
export function WebhooksPage() {
  const [arrivals, setArrivals] = useState<readonly Arrival[]>([]);
  const [isConnected, setIsConnected] = useState(true);
  useEffect(() => {
    const source = new EventSource('/webhooks/stream');
    // After a broken connection the server sends the list again.
    source.onopen = () => {
      setIsConnected(true);
      setArrivals([]);
    };
    source.onerror = () => setIsConnected(false);
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const arrival = JSON.parse(data) as Arrival;
      setArrivals((earlier) => [arrival, ...earlier]);
    };
    return () => source.close();
  }, []);
  return (
    <Page
      title="Webhooks"
      intro="Gateline tells the shop's server what happens. Each message is verified before it counts."
    >
      {!isConnected && <Notice tone="warning" text="The shop's server does not answer. This page tries again …" />}
      {arrivals.length === 0 && (
        <Notice title="Nothing yet" text="Buy a ticket or scan one in another tab, and watch it arrive here." />
      )}
      <ol aria-live="polite">
        {arrivals.map((arrival, index) => (
          <li key={arrivals.length - index} class="card">
            <ArrivalCard arrival={arrival} />
          </li>
        ))}
      </ol>
    </Page>
  );
}

function ArrivalCard({ arrival }: { readonly arrival: Arrival }) {
  const time = new Date(arrival.arrivedUnix * 1000);
  return (
    <>
      <h2>{arrival.type ?? 'Unknown message'}</h2>
      <p>
        <span class={arrival.outcome === 'refused' ? 'tag bad' : 'tag good'}>{arrival.outcome}</span>{' '}
        <time dateTime={time.toISOString()}>{time.toLocaleTimeString('en', { timeStyle: 'medium' })}</time>
      </p>
      {arrival.reason !== undefined && <p>{arrival.reason}</p>}
      {arrival.body !== undefined && (
        <details>
          <summary>
            Message <span class="visually-hidden">{arrival.id}</span>
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
          <pre tabIndex={0}>{JSON.stringify(arrival.body, null, 2)}</pre>
        </details>
      )}
    </>
  );
}
