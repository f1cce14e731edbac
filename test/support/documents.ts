import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** The document of the API, which a sample prints, has nearly the megabyte that Node reads by default. */
const maxBuffer = 16 * 1024 * 1024;
const run = promisify(execFile);
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** The only code block of a document in this language that contains this text. */
export function codeBlock(file: string, language: string, text: string): string {
  const document = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const blocks = [...document.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const found = blocks.filter(([, name, code = '']) => name === language && code.includes(text));
  const [[, , code = ''] = []] = found;
  if (found.length !== 1) throw new Error(`${file} has ${found.length} blocks of ${language} with ${text}.`);
  return code;
}

/** Runs a TypeScript program as a reader would, from a file in its own process, and returns what it prints. */
export async function runTypeScript(code: string, variables: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-document-'));
  const file = join(folder, 'sample.mts');
  try {
    writeFileSync(file, code);
    const env = { PATH: process.env.PATH, ...variables };
    return (await run(process.execPath, ['--import', loader, file], { env, maxBuffer })).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Runs a shell script and returns what it prints. It is in a file, because an argument has at most 128 KB. */
export async function runShell(code: string, variables: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-document-'));
  const file = join(folder, 'sample.sh');
  try {
    writeFileSync(file, code);
    return (await run('sh', ['-e', file], { env: { PATH: process.env.PATH, ...variables }, maxBuffer })).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
