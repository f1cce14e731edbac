import { join } from 'node:path';
import { argv } from 'node:process';
import { Gateline } from './gateline.ts';
import { newMailer } from './new-mailer.ts';
import { remind, remindDaily } from './remind.ts';
import { FolderSender } from './send/folder.ts';
import type { Sender } from './send/sender.ts';
import { SesSender } from './send/ses.ts';
import { SmtpSender } from './send/smtp.ts';
import { startServer } from './server.ts';
import { demanded, noSettings, readSettings, setting } from './settings.ts';
import { DynamoStore } from './store/dynamo-store.ts';
import { FileStore } from './store/file-store.ts';
import { topicOf } from './topic.ts';
import { Worker } from './worker.ts';

const usage = `Usage: node main.ts <command>
  serve            receives webhooks and sends mails, until Ctrl-C
  list             events whose mails wait or failed
  resend <event>   sends what failed of an event once more
  remind           reminds of invoices that are due; run it once a day`;

const [command, id = ''] = argv.slice(2);
const settings = command === 'serve' || command === 'remind' ? readSettings() : noSettings;
const folder = setting('MAIL_FOLDER') ?? '.mailer';
const table = setting('MAIL_TABLE');
const store = table === undefined ? new FileStore(join(folder, 'mailer.sqlite')) : new DynamoStore(table);
const sender = senderOf(setting('MAIL_SENDER') ?? 'folder');
const mailer = newMailer(settings, { store, sender });
const gateline = new Gateline(settings.apiUrl, settings.apiKey);

function senderOf(kind: string): Sender {
  if (kind === 'folder') return new FolderSender(join(folder, 'mails'));
  if (kind === 'smtp') return new SmtpSender(demanded('SMTP_URL'));
  if (kind === 'ses') return new SesSender(setting('SES_CONFIGURATION_SET'));
  throw new Error(`MAIL_SENDER is folder, smtp or ses, not ${kind}.`);
}

async function serve(): Promise<void> {
  const worker = new Worker(mailer);
  const shown = sender instanceof FolderSender ? sender : undefined;
  const topic = settings.topicArn === undefined ? undefined : topicOf(settings.topicArn, mailer);
  const { url } = await startServer(Number(setting('PORT') ?? 4000), {
    mailer,
    worker,
    folder: shown,
    ...(topic && { topic }),
  });
  console.log(
    `The mailer listens at ${url}/webhooks${shown === undefined ? '' : `, and shows its mails at ${url}/mails`}.`,
  );
  const failed = () => console.log('Invoices that are due could not be read.');
  remindDaily({ gateline, mailer, wake: () => worker.wake(), failed });
}

async function list(): Promise<void> {
  for (const one of ['event', 'failed'] as const)
    for (const { id: event, type, looked, failed, reason } of await mailer.list(one))
      console.log(
        `${one === 'failed' ? 'FAILED ' : 'WAITING'} ${event} ${type}: ${looked} looked at, ${failed} failed${reason ? `, ${reason}` : ''}`,
      );
}

switch (command) {
  case 'serve':
    await serve();
    break;
  case 'list':
    await list();
    break;
  case 'resend':
    console.log(
      (await mailer.resend(id)) ? 'The program that serves sends it again.' : 'Nothing of this event has failed.',
    );
    break;
  case 'remind':
    console.log(`${(await remind(gateline, mailer)).length} reminders wait to be sent.`);
    break;
  default:
    console.log(usage);
}
