import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keptSeconds, type Open, type Row, type Store } from './store.ts';

/** One file (SQLite), for a machine of one's own. It survives a crash at any time. */
export class FileStore implements Store {
  readonly #file: DatabaseSync;

  constructor(path: string) {
    // What waits to be sent can have addresses.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = new DatabaseSync(path, { timeout: 5_000 });
    this.#file.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS row (name TEXT PRIMARY KEY, version INT, value TEXT, list TEXT, due INT, written INT);
      CREATE INDEX IF NOT EXISTS open ON row (list, due) WHERE list IS NOT NULL;`);
    const oldest = Date.now() - keptSeconds * 1000;
    this.#file
      .prepare("DELETE FROM row WHERE list IS NULL AND written < ? AND name NOT LIKE 'suppressed/%'")
      .run(oldest);
  }

  async read(name: string): Promise<Row | undefined> {
    const row = this.#file.prepare('SELECT version, value FROM row WHERE name = ?').get(name);
    return row && { name, version: Number(row.version), value: String(row.value) };
  }

  async write({ name, value, open }: { name: string; value: string; open?: Open }, known: number): Promise<boolean> {
    const rest = [known + 1, value, open?.list ?? null, open?.dueMs ?? null, Date.now()];
    const statement =
      known === 0
        ? 'INSERT OR IGNORE INTO row (version, value, list, due, written, name) VALUES (?, ?, ?, ?, ?, ?)'
        : 'UPDATE row SET version = ?, value = ?, list = ?, due = ?, written = ? WHERE name = ? AND version = ?';
    const { changes } = this.#file.prepare(statement).run(...rest, name, ...(known === 0 ? [] : [known]));
    return changes === 1;
  }

  async open(list: Open['list'], untilMs: number, limit: number): Promise<readonly string[]> {
    const due = this.#file.prepare('SELECT name FROM row WHERE list = ? AND due <= ? ORDER BY due LIMIT ?');
    return due.all(list, untilMs, limit).map(({ name }) => String(name));
  }

  close(): void {
    this.#file.close();
  }
}
