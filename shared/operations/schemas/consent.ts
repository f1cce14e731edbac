import * as v from 'valibot';
import { consentChannels, consentLimits, consentSources } from '../../domain/customers/consents.ts';
import { field, Id, resource, UnixSeconds } from './fields.ts';
import { cursorListOf } from './list-envelope.ts';
import { text } from './text.ts';

const purposeText = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9_-]{1,40}$/, 'a name of 1 to 40 lowercase letters, digits, hyphens and underscores'),
);

/** What a person says, for record-consent and for a checkout. */
export const ConsentInput = v.strictObject({
  purpose: field(
    purposeText,
    'What it is for, such as `marketing` or `partner_offers`: 1 to 40 lowercase letters, digits, hyphens and underscores.',
  ),
  channel: field(v.picklist(consentChannels), 'How the person may be reached for it.'),
  given: field(v.boolean(), 'true: the person agrees. false: the person withdraws, or refuses.'),
  text_version: field(
    text(consentLimits.textVersion),
    'The version of the words that the person saw, such as `2026-07`.',
  ),
});
export type ConsentInput = v.InferOutput<typeof ConsentInput>;

export const Consent = resource(
  'Consent',
  'What a person said about one purpose and channel. It never changes; the newest counts.',
  {
    user_id: field(Id, 'The customer who said it.'),
    purpose: field(v.string(), 'What it is for.'),
    channel: field(v.picklist(consentChannels), 'How the person may be reached for it.'),
    given: field(v.boolean(), 'Whether the person agreed. false: withdrawn, or refused.'),
    text_version: field(v.nullable(v.string()), 'The version of the words that the person saw; null of an import.'),
    source: field(
      v.picklist(consentSources),
      'Where it was said: at a `checkout`, by the fan on a `page`, through `staff` (an API key), or in an `import`.',
    ),
    recorded_at: field(UnixSeconds, 'When it was said, in Unix seconds.'),
    order_id: field(v.nullable(Id), 'The order at whose checkout it was said; null elsewhere.'),
  },
);
export type Consent = v.InferOutput<typeof Consent>;

export const ConsentHistory = resource('ConsentHistory', 'The consents of a customer, and what counts now.', {
  ...cursorListOf('consents', Consent).entries,
  current: field(v.array(Consent), 'What counts now: the newest for each purpose and channel. On every page.'),
});
