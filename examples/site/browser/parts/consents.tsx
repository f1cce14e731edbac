import type { Consent } from '../resources.ts';
import { secondOf } from '../state/format.ts';

const channels = { email: 'email', sms: 'text message', phone: 'phone', post: 'post' } as const;
const purposes: Readonly<Record<string, string>> = { marketing: 'News and offers' };
const sources = {
  checkout: 'at a purchase',
  page: 'on a page',
  staff: 'by staff',
  import: 'in an import',
} as const;

export function consentName({ purpose, channel }: Pick<Consent, 'purpose' | 'channel'>): string {
  return `${purposes[purpose] ?? purpose.replaceAll(/[_-]/g, ' ')} by ${channels[channel]}`;
}

/** Everything that was said, the newest first. */
export function ConsentLines({
  of: consents,
  timezone,
}: {
  readonly of: readonly Consent[];
  readonly timezone: string;
}) {
  return (
    <ul class="lines">
      {consents.map((consent, index) => (
        <li key={`${consent.recorded_at} ${index}`}>
          <p>
            {consentName(consent)}: {consent.given ? 'agreed' : 'withdrawn'}
            <span class="hint">
              {secondOf(consent.recorded_at, timezone)}, {sources[consent.source]}
              {consent.text_version !== null && `, words of ${consent.text_version}`}
              {consent.order_id !== null && `, order ${consent.order_id}`}
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
