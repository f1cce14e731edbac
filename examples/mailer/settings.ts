import { keptAddressKey } from './address-hash.ts';
import { isLanguage, type Language } from './render.ts';

/** What the program needs to know. `README.md` explains each variable. */
export interface Settings {
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Of the webhook endpoint; two while one is replaced. */
  readonly secrets: readonly string[];
  readonly shopUrl: string;
  readonly from: string;
  readonly addressKey: string;
  readonly language: Language | undefined;
  readonly templates: string | undefined;
  readonly mailsPerSecond: number;
  readonly atOnce: number;
  readonly topicArn: string | undefined;
}

/** A variable of the environment; an empty one counts as unset. */
export const setting = (name: string): string | undefined => process.env[name] || undefined;

export function demanded(name: string): string {
  const value = setting(name);
  if (value === undefined) throw new Error(`Set ${name}. README.md says what it is.`);
  return value;
}

/** Where the program remembers. */
export const folder = (): string => setting('MAIL_FOLDER') ?? '.mailer';

/** A table may be used by several machines, which need the same key. */
const ownAddressKey = (): string =>
  setting('MAIL_TABLE') === undefined ? keptAddressKey(folder()) : demanded('ADDRESS_KEY');

interface Keys {
  readonly apiKey: string;
  readonly webhookSecrets: readonly string[];
  readonly addressKey: string;
}

/** The keys can come from elsewhere, such as a safe for secrets. */
export function readSettings(keys?: Keys): Settings {
  const language = setting('MAIL_LANGUAGE');
  if (language !== undefined && !isLanguage(language))
    throw new Error(`MAIL_LANGUAGE: there are no mails in ${language}.`);
  return {
    apiUrl: demanded('API_URL').replace(/\/$/, ''),
    apiKey: keys?.apiKey ?? demanded('GATELINE_API_KEY'),
    secrets: keys?.webhookSecrets ?? demanded('WEBHOOK_SECRETS').split(/[\s,]+/),
    shopUrl: demanded('SHOP_URL').replace(/\/$/, ''),
    from: demanded('MAIL_FROM'),
    addressKey: keys?.addressKey ?? setting('ADDRESS_KEY') ?? ownAddressKey(),
    language,
    templates: setting('MAIL_TEMPLATES'),
    mailsPerSecond: Number(setting('MAILS_PER_SECOND') ?? 10),
    atOnce: Number(setting('MAILS_AT_ONCE') ?? 1),
    topicArn: setting('SNS_TOPIC_ARN'),
  };
}

/** For what needs only what the mailer remembers. */
export const noSettings: Settings = {
  apiUrl: '',
  apiKey: '',
  secrets: [],
  shopUrl: '',
  from: '',
  addressKey: '',
  language: undefined,
  templates: undefined,
  mailsPerSecond: 1,
  atOnce: 1,
  topicArn: undefined,
};
