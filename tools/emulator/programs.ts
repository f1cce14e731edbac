import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Program {
  /** Its output is in <name>.log. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The programs of a run. Each has a process group of its own, so Ctrl-C reaches only this process, which then stops them. */
export class Programs {
  readonly folder: string;
  readonly #running = new Set<ChildProcess>();
  #isStopped = false;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Starts a program that runs until stopAll. */
  start({ name, command, args, cwd, env }: Program): ChildProcess {
    if (this.#isStopped) throw new Error('The run was stopped.');
    const log = openSync(this.#logOf(name), 'a');
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    // Also emitted if the program does not exist; `exit` is not emitted then.
    child.once('error', () => this.#running.delete(child));
    return child;
  }

  /** Runs a program to its end and returns its output. Throws with its last lines if it fails. */
  async run(program: Program): Promise<string> {
    const child = this.start(program);
    const status = await new Promise<number | string | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? signal));
    });
    const output = this.output(program.name);
    if (status !== 0) {
      const lastLines = output.trimEnd().split('\n').slice(-20).join('\n');
      throw new Error(`${program.name} ended with ${status}. Its last lines:\n${lastLines}`);
    }
    return output;
  }

  output(name: string): string {
    return readFileSync(this.#logOf(name), 'utf8');
  }

  /** Ends every program that still runs, with the processes that it has started. */
  async stopAll(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#running].map((child) => stop(child)));
  }

  #logOf(name: string): string {
    return join(this.folder, `${name}.log`);
  }
}

const patienceMs = 10_000;

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), patienceMs);
  await ended;
  clearTimeout(timer);
  // What the program has left behind.
  signalGroup(child, 'SIGKILL');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}
