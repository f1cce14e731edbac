import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { approve } from '../admin/agents/approve.ts';

/** Carries out what an assistant proposed: `npm run approve -- <approval_id>`. */
async function askSecret(question: string): Promise<string> {
  process.stdout.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  terminal.once('SIGINT', () => process.exit(130));
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stdout.write('\n');
  }
}

process.exitCode = await approve(process.argv.slice(2), {
  localFolder: resolve('.local'),
  nowMs: () => Date.now(),
  print: (text) => console.log(text),
  printError: (line) => console.error(line),
  askSecret: process.stdin.isTTY ? askSecret : undefined,
});
