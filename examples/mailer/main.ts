import { join } from 'node:path';
import { argv } from 'node:process';
import { Gateline } from './gateline.ts';
import { newMailer } from './new-mailer.ts';
import { remind, remindDaily } from './remind.ts';
import { FolderSender } from './send/folder.ts';
import type { Sender } from './send/sender.ts';
import { startServer } from './server.ts';
import { demanded, folder as mailFolder, noSettings, readSettings, setting } from './settings.ts';
import { FileStore } from './store/file-store.ts';
import type { Store } from './store/store.ts';
import { topicOf } from './topic.ts';
import { Worker } from './worker.ts';

const usage = `Usage: node main.ts <command>
  serve            receives webhooks and sends mails, until Ctrl-C
  list             events whose mails wait or failed
  resend <event>   sends what failed of an event once more
  remind           reminds of invoices that are due; run it once a day`;

const [command, id = ''] = argv.slice(2);
const settings = command === 'serve' || command === 'remind' ? readSettings() : noSettings;
const folder = mailFolder();
const store = await storeOf(setting('MAIL_TABLE'));
const sender = await senderOf(setting('MAIL_SENDER') ?? 'folder');
const mailer = newMailer(settings, { store, sender });
const gateline = new Gateline(settings.apiUrl, settings.apiKey);

// What is imported here needs a package, which only who uses it has to install.
async function storeOf(table: string | undefined): Promise<Store> {
  if (table === undefined) return new FileStore(join(folder, 'mailer.sqlite'));
  return new (await import('./store/dynamo-store.ts')).DynamoStore(table);
}

async function senderOf(kind: string): Promise<Sender> {
  if (kind === 'folder') return new FolderSender(join(folder, 'mails'));
  if (kind === 'smtp') return new (await import('./send/smtp.ts')).SmtpSender(demanded('SMTP_URL'));
  if (kind === 'ses') return new (await import('./send/ses.ts')).SesSender(setting('SES_CONFIGURATION_SET'));
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
  const [waiting, failures] = await Promise.all([mailer.list('event'), mailer.list('failed')]);
  if (waiting.length + failures.length === 0) console.log('Nothing waits, and nothing has failed.');
  for (const [one, events] of [
    ['WAITING', waiting],
    ['FAILED ', failures],
  ] as const)
    for (const { id: event, type, looked, failed, reason } of events)
      console.log(`${one} ${event} ${type}: ${looked} looked at, ${failed} failed${reason ? `, ${reason}` : ''}`);
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
