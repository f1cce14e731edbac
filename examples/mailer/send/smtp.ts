import { createTransport } from 'nodemailer';
import { Explained } from '../explained.ts';
import { type Mail, NeverSent, type Sender } from './sender.ts';

/** Sends through a mail server, such as `smtps://user:password@mail.example.com`. */
export class SmtpSender implements Sender {
  readonly #transport: ReturnType<typeof createTransport>;

  constructor(url: string) {
    this.#transport = createTransport(url);
  }

  async send({ messageId, ...mail }: Mail): Promise<void> {
    try {
      await this.#transport.sendMail({ ...mail, messageId: `<${messageId}>` });
    } catch (error) {
      const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
      // The text of the server's answer often has the address.
      if (code >= 500) throw new NeverSent(`the mail server answered ${code}`);
      throw new Explained(code > 0 ? `the mail server answered ${code}` : 'the mail server did not respond', {
        cause: error,
      });
    }
  }
}
