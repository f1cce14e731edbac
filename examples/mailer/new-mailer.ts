import { Gateline } from './gateline.ts';
import { Mailer, type MailerOptions, type Style } from './mailer.ts';
import { Words } from './mails/words.ts';
import { pace } from './pace.ts';
import { isLanguage, type Language, Templates } from './render.ts';
import type { Settings } from './settings.ts';

interface Organisation {
  readonly name: string;
  readonly timezone: string;
  readonly background_color: string | null;
  /** Such as `de-CH`. */
  readonly locale?: string;
}

type Parts = Pick<MailerOptions, 'store' | 'sender'> &
  Partial<Pick<MailerOptions, 'log' | 'now' | 'secrets' | 'turn' | 'addressKey'>>;

const keptMs = 60_000;
const noColour = '#1c2a4a';

/** The mailer of an organisation. Name, colour, time zone and language are those that the organisation has in Gateline. */
export function newMailer(settings: Omit<Settings, 'topicArn'>, parts: Parts): Mailer {
  const gateline = new Gateline(settings.apiUrl, settings.apiKey);
  let kept: Promise<Style> | undefined;
  let keptUntilMs = 0;

  async function read(): Promise<Style> {
    const { name, timezone, background_color, locale = 'en' } = await gateline.get<Organisation>('/v1/organisation');
    const [own = 'en'] = locale.split('-');
    const language: Language = settings.language ?? (isLanguage(own) ? own : 'en');
    // A country writes dates in its own way: 2 May in Britain, May 2 in America.
    const words = new Words(own === language ? locale : language, timezone);
    return {
      office: { gateline, shopUrl: settings.shopUrl, words },
      templates: new Templates(language, settings.templates),
      organisation: name,
      colour: /^#[0-9a-f]{6}$/i.test(background_color ?? '') ? String(background_color) : noColour,
    };
  }

  return new Mailer({
    secrets: () => settings.secrets,
    from: settings.from,
    addressKey: settings.addressKey,
    turn: pace(settings.mailsPerSecond, settings.atOnce),
    log: (line) => console.log(JSON.stringify(line)),
    ...parts,
    style() {
      if (kept === undefined || Date.now() >= keptUntilMs) {
        kept = read();
        keptUntilMs = Date.now() + keptMs;
        kept.catch(() => {
          kept = undefined;
        });
      }
      return kept;
    },
  });
}
