import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** The one code block of the README in a language that holds a text. */
export function readmeBlock(language: string, text: string): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const found = blocks.filter(([, name, code = '']) => name === language && code.includes(text));
  const [[, , code = ''] = []] = found;
  if (found.length !== 1) throw new Error(`The README has ${found.length} blocks of ${language} with ${text}.`);
  return code;
}

/** What a TypeScript program prints, run as a reader would run it: in a process and a file of its own. */
export async function runTypeScript(code: string, variables: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-readme-'));
  const file = join(folder, 'sample.mts');
  try {
    writeFileSync(file, code);
    const env = { PATH: process.env.PATH, ...variables };
    return (await run(process.execPath, ['--import', loader, file], { env })).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** What a shell prints. */
export async function runShell(code: string, variables: Record<string, string>): Promise<string> {
  return (await run('sh', ['-ec', code], { env: { PATH: process.env.PATH, ...variables } })).stdout;
}
