import type { Consent, ConsentHistory } from '../../../site/browser/resources.ts';
import { call } from './api.ts';
import { organisation } from './organisation.ts';
import { session, signedIn } from './session.ts';

/** What this shop asks for. Change the version with the words: the history names it. */
export const news = { purpose: 'marketing', channel: 'email', text_version: '2026-07' } as const;

export const newsText = (): string =>
  `${organisation().name} may send me news and offers by email. I can withdraw this at any time under My details.`;

/** What a checkout sends: a box that is not ticked says nothing, so an earlier answer stays. */
export const consentsOfBuyer = (): { readonly consents?: readonly object[] } =>
  session().wantsNews ? { consents: [{ ...news, given: true }] } : {};

const path = '/v1/customers/me/consents';

export const ownConsents = (): Promise<ConsentHistory> => call('GET', path, signedIn());

/** Agrees or withdraws: both are one press. */
export function answer({ purpose, channel }: Pick<Consent, 'purpose' | 'channel'>, given: boolean) {
  return call('POST', path, { ...signedIn(), body: { purpose, channel, given, text_version: news.text_version } });
}

export const isNews = ({ purpose, channel }: Pick<Consent, 'purpose' | 'channel'>): boolean =>
  purpose === news.purpose && channel === news.channel;
