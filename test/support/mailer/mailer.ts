import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mailer, MailerOptions } from '../../../examples/mailer/mailer.ts';
import { newMailer } from '../../../examples/mailer/new-mailer.ts';
import { FolderSender } from '../../../examples/mailer/send/folder.ts';
import type { Mail, Sender } from '../../../examples/mailer/send/sender.ts';
import { FileStore } from '../../../examples/mailer/store/file-store.ts';
import { newSecret, signatureHeaders } from '../../../shared/webhooks/signature.ts';
import { type ApiDouble, startApiDouble } from './api-double.ts';

/** A mailer with a store and a folder of its own, a double of the API, and a clock that tests move. */
export interface MailerBench {
  readonly api: ApiDouble;
  readonly lines: string[];
  readonly secret: string;
  readonly folder: string;
  nowMs: number;
  /** The first mailer, or one that begins after a crash with what the first has left. */
  start(sender?: Sender, parts?: Partial<Pick<MailerOptions, 'store' | 'turn' | 'addressKey'>>): Mailer;
  /** Delivers an event as Gateline does: returns the status and the event to work on. */
  deliver(mailer: Mailer, event: object & { readonly id: string }): ReturnType<Mailer['receive']>;
  mails(): readonly Mail[];
  stop(): Promise<void>;
}

export async function startMailerBench(): Promise<MailerBench> {
  const api = await startApiDouble();
  const folder = mkdtempSync(join(tmpdir(), 'gateline-mailer-'));
  const secret = newSecret();
  const lines: string[] = [];
  const stores: FileStore[] = [];
  const mails = new FolderSender(join(folder, 'mails'));
  const bench: MailerBench = {
    api,
    lines,
    secret,
    folder,
    nowMs: Date.UTC(2026, 3, 1),
    start(sender = mails, parts = {}) {
      const store = new FileStore(join(folder, 'mailer.sqlite'));
      stores.push(store);
      const settings = {
        apiUrl: api.url,
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
      const log = (line: object) => lines.push(JSON.stringify(line));
      return newMailer(settings, { store, sender, log, now: () => bench.nowMs, ...parts });
    },
    deliver(mailer, event) {
      const body = JSON.stringify(event);
      const timestampUnix = Math.floor(Date.now() / 1000);
      return mailer.receive(signatureHeaders({ id: event.id, timestampUnix, body }, [secret]), body);
    },
    mails: () => mails.list(100_000),
    async stop() {
      for (const store of stores) store.close();
      await api.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return bench;
}
