import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { Explained } from '../explained.ts';
import { type Mail, NeverSent, type Sender } from './sender.ts';

/** Refusals of one mail. Everything else, such as a limit or a paused account, passes. */
const final = ['MessageRejected', 'BadRequestException'];

/** Sends through Amazon SES. The configuration set reports bounces and complaints. */
export class SesSender implements Sender {
  readonly #client: SESv2Client;
  readonly #configurationSet: string | undefined;

  constructor(configurationSet: string | undefined, client = new SESv2Client({})) {
    this.#client = client;
    this.#configurationSet = configurationSet;
  }

  async send({ from, to, subject, text, html }: Mail): Promise<void> {
    const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      ConfigurationSetName: this.#configurationSet,
      Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) } } },
    });
    try {
      await this.#client.send(command);
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown error';
      if (final.includes(name)) throw new NeverSent(`SES answered ${name}`);
      throw new Explained(`SES answered ${name}`, { cause: error });
    }
  }
}
