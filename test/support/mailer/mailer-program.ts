import { join } from 'node:path';
import { newMailer } from '../../../examples/mailer/new-mailer.ts';
import { FolderSender } from '../../../examples/mailer/send/folder.ts';
import type { Sender } from '../../../examples/mailer/send/sender.ts';
import { startServer } from '../../../examples/mailer/server.ts';
import { FileStore } from '../../../examples/mailer/store/file-store.ts';
import { Worker } from '../../../examples/mailer/worker.ts';

/**
 * A mailer in a process of its own, which a test can kill: its folder, the API, the secret, how far its clock is ahead, and whether its
 * provider stops to answer at one mail, before or after it has it.
 */
const [folder = '', apiUrl = '', secret = '', aheadMs = '0', stall = 'never'] = process.argv.slice(2);
const stalledMail = 334;
const settings = {
  apiUrl,
  apiKey: 'gl_test_secretkey',
  secrets: [secret],
  shopUrl: 'https://shop.example.com',
  from: 'tickets@example.com',
  addressKey: 'a key of addresses for tests alone',
  language: undefined,
  templates: undefined,
  mailsPerSecond: 100_000,
  atOnce: 1,
};
const store = new FileStore(join(folder, 'mailer.sqlite'));
const mails = new FolderSender(join(folder, 'mails'));
let sent = 0;
const sender: Sender = {
  async send(mail) {
    sent += 1;
    if (stall === 'never' || sent < stalledMail) return mails.send(mail);
    if (stall === 'after') await mails.send(mail);
    console.log('stalled');
    return new Promise(() => {});
  },
};
const mailer = newMailer(settings, { store, sender, now: () => Date.now() + Number(aheadMs) });
const { url } = await startServer(0, { mailer, worker: new Worker(mailer) });
console.log(`listening ${url}`);
