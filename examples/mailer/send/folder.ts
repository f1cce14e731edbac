import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mail, Sender } from './sender.ts';

export interface FolderMail extends Mail {
  readonly id: string;
  readonly sentMs: number;
}

/** Puts mails into a folder instead of sending them, a file each. */
export class FolderSender implements Sender {
  readonly #path: string;
  readonly #now: () => number;
  #last = 0;

  constructor(path: string, now: () => number = Date.now) {
    mkdirSync(path, { recursive: true });
    this.#path = path;
    this.#now = now;
  }

  async send(mail: Mail): Promise<void> {
    const sentMs = this.#now();
    this.#last += 1;
    const id = `${sentMs}-${process.pid}-${String(this.#last).padStart(6, '0')}`;
    const file = join(this.#path, `${id}.json`);
    // Whoever reads the folder never sees half of a mail.
    writeFileSync(`${file}.new`, JSON.stringify({ id, sentMs, ...mail }), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  /** The newest mails first. */
  list(limit = 1_000): readonly FolderMail[] {
    const names = readdirSync(this.#path).filter((name) => name.endsWith('.json'));
    return names
      .sort()
      .reverse()
      .slice(0, limit)
      .map((name) => this.#read(name));
  }

  find(id: string): FolderMail | undefined {
    return readdirSync(this.#path).includes(`${id}.json`) ? this.#read(`${id}.json`) : undefined;
  }

  #read(name: string): FolderMail {
    return JSON.parse(readFileSync(join(this.#path, name), 'utf8')) as FolderMail;
  }
}
