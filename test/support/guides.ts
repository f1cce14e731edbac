import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../local/cloud/http/listen.ts';
import { guideNames } from '../../local/reference/guides.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Block {
  readonly language: string;
  readonly code: string;
}

export interface Guide {
  readonly name: string;
  readonly blocks: readonly Block[];
}

export const guides: readonly Guide[] = guideNames.map((name) => {
  const text = readFileSync(join(root, 'docs/guides', `${name}.md`), 'utf8');
  const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
  return { name, blocks };
});

const codeOf = ({ blocks }: Guide, language: string): readonly string[] =>
  blocks.filter((block) => block.language === language).map(({ code }) => code);

/** The first block of the first guide, with which all guides begin. */
const beginning = codeOf(guides[0] ?? { name: '', blocks: [] }, 'sh')[0] ?? '';

/**
 * Runs all blocks of a guide in one shell, as a reader would paste them, in a folder that looks like the repository but has the files of
 * this run. A block of JavaScript is a file, whose name is in its first line. Returns what was printed.
 */
export async function runGuide(guide: Guide, folder: string, signal: AbortSignal): Promise<string> {
  for (const name of readdirSync(root)) {
    if (!name.startsWith('.') && !existsSync(join(folder, name))) symlinkSync(join(root, name), join(folder, name));
  }
  for (const code of codeOf(guide, 'js')) {
    const [, name = ''] = /^\/\/ ([\w-]+\.mjs)\n/.exec(code) ?? [];
    if (name === '') throw new Error(`A block of ${guide.name} does not name its file.`);
    writeFileSync(join(folder, name), code);
  }
  const unknown = guide.blocks.filter(({ language }) => !['sh', 'js', 'text'].includes(language));
  if (unknown.length > 0) throw new Error(`${guide.name} has a block that no test runs: ${unknown[0]?.language}`);
  const scripts = codeOf(guide, 'sh');
  return runScript([...(scripts[0] === beginning ? [] : [beginning]), ...scripts].join('\n'), folder, signal);
}

async function runScript(script: string, folder: string, signal: AbortSignal): Promise<string> {
  const environment = { PATH: process.env.PATH, HOME: folder, PORT: String(await freePort()) };
  // A process group of its own, so what the script has left running ends with it.
  const child = spawn('sh', ['-euc', script], { cwd: folder, env: environment, detached: true });
  let [printed, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const endAll = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nothing is left.
    }
  };
  signal.addEventListener('abort', endAll);
  const status = await new Promise((resolve) => child.once('exit', resolve));
  endAll();
  if (status !== 0) throw new Error(`The script ended with ${status}.\n${printed}\n${errors}`);
  return printed;
}

/** The lines of output in a guide that were not printed, in their order. `…` is any text. */
export function missingLines(guide: Guide, printed: string): readonly string[] {
  const lines = printed.split('\n');
  return codeOf(guide, 'text')
    .flatMap((code) => code.trimEnd().split('\n'))
    .filter((expected) => {
      const fixed = expected.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      const pattern = new RegExp(`^${fixed.join('.+')}$`);
      const at = lines.findIndex((line) => pattern.test(line));
      if (at >= 0) lines.splice(0, at + 1);
      return at < 0;
    });
}
