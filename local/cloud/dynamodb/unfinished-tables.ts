import * as v from 'valibot';
import type { KeptFiles } from '../kept-files.ts';
import type { Table } from './tables.ts';

const keptFile = 'unfinished-tables.json';

/** The tables that are being filled, including those of a killed run. */
export class UnfinishedTables {
  readonly #files: KeptFiles;
  readonly #names: Set<string>;

  constructor(files: KeptFiles) {
    this.#files = files;
    this.#names = new Set(files.read(keptFile, v.array(v.string())) ?? []);
  }

  has({ name }: Table): boolean {
    return this.#names.has(name);
  }

  add({ name }: Table): void {
    this.#names.add(name);
    this.#files.write(keptFile, [...this.#names]);
  }

  delete({ name }: Table): void {
    this.#names.delete(name);
    this.#files.write(keptFile, [...this.#names]);
  }
}
