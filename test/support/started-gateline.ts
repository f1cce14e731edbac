import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { descendantsOf } from './processes.ts';

const program = fileURLToPath(new URL('../../bin/start.ts', import.meta.url));
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

export interface RunFile {
  readonly url: string;
  readonly docs_url: string;
  readonly shop_url?: string;
  readonly theatre_shop_url?: string;
  readonly mails_url?: string;
  readonly pid: number;
  readonly organisations: readonly {
    org_id: string;
    name: string;
    api_key: string;
    read_only_key: string;
    office_key: string;
    publishable_key: string;
    gate_token: string;
  }[];
  readonly sso: { linked_token: string; unlinked_token: string; verified_token: string };
}

/** The program of `npm start`, in its own process and folder. */
export class StartedGateline {
  readonly #child: ChildProcess;
  readonly #directory: string;
  output = '';
  errors = '';
  readonly exited: Promise<number | null>;

  constructor(directory: string, environment: Record<string, string>) {
    this.#directory = directory;
    const command = ['--import', loader, program];
    // As npm does: a process in between, which is the only one that ends when `npm start` is killed.
    const below = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(command)}, { stdio: 'inherit' })`;
    this.#child = spawn(process.execPath, environment.npm_lifecycle_event === 'start' ? ['-e', below] : command, {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
    this.exited = new Promise((resolve) => this.#child.once('exit', resolve));
  }

  async ready(): Promise<RunFile> {
    const line = new Promise<void>((resolve) => {
      this.#child.stdout?.on('data', () => {
        if (this.output.includes('Gateline is ready at')) resolve();
      });
    });
    const ended = this.exited.then(() => {
      throw new Error(`It ended before it was ready: ${this.errors}`);
    });
    await Promise.race([line, ended]);
    return JSON.parse(readFileSync(this.runFile, 'utf8'));
  }

  get runFile(): string {
    return join(this.#directory, '.local', 'run.json');
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** All descendants of this process, as the system lists them. */
  descendants(): number[] {
    return descendantsOf(this.#child.pid);
  }
}
