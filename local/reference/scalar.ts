import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

const packageName = '@scalar/api-reference';
const version = '1.72.1';
/** The integrity that the registry states for this version, as a lock file would. */
const integrity = 'sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow==';
/** The name under which the script is kept. */
export const scalarFile = `scalar-${version}.js`;
const script = 'package/dist/browser/standalone.js';

/**
 * The script of the reference page. The package is complete in one file but depends on 290 others, so it is not installed: its
 * archive is downloaded once with npm, compared with its integrity and kept in the folder (docs/adr/0045-reference-page.md).
 */
export async function scalarScript(folder: string): Promise<Buffer> {
  const kept = join(folder, scalarFile);
  if (existsSync(kept)) return readFileSync(kept);
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(join(folder, 'scalar-'));
  try {
    const args = ['pack', `${packageName}@${version}`, '--pack-destination', draft, '--silent'];
    const { stdout } = await promisify(execFile)('npm', args, { shell: process.platform === 'win32' });
    const archive = readFileSync(join(draft, stdout.trim()));
    const digest = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    if (digest !== integrity) throw new Error(`${packageName}@${version} has the integrity ${digest}.`);
    const code = fileOf(gunzipSync(archive), script);
    writeFileSync(join(draft, 'script.js'), code);
    renameSync(join(draft, 'script.js'), kept);
    return code;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const block = 512;

/** One file of a tar archive. */
function fileOf(archive: Buffer, name: string): Buffer {
  for (let at = 0; at + block <= archive.length; ) {
    const text = (from: number, to: number) => archive.toString('latin1', at + from, at + to).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 136), 8) || 0;
    if (text(0, 100) === name) return archive.subarray(at + block, at + block + size);
    at += block + Math.ceil(size / block) * block;
  }
  throw new Error(`The archive has no ${name}.`);
}
