import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Answer } from './admin.ts';

const program = fileURLToPath(new URL('../../bin/restore.ts', import.meta.url));
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Runs `npm run restore -- --local` in a folder of its own, and kills it as soon as it prints this text. */
export function restoreCommand(directory: string, args: readonly string[], killAt?: string): Promise<Answer> {
  const child = spawn(process.execPath, ['--import', loader, program, '--local', ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (killAt !== undefined && stdout.includes(killAt)) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode: exitCode ?? -1, stdout, stderr }));
  });
}
