import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * The version of the Node package of the project; undefined if there is none for this platform. npm puts it first on the PATH of
 * every script. A binary that cannot run (on a Linux without glibc) is removed, so the installed Node is used.
 */
export function ownNodeVersion(root) {
  const names = process.platform === 'win32' ? ['node.cmd', 'node.ps1', 'node'] : ['node'];
  const files = names.map((name) => join(root, 'node_modules', '.bin', name));
  const { status, stdout } = spawnSync(files[0], ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) {
    return stdout.trim().slice(1);
  }
  for (const file of files) {
    rmSync(file, { force: true });
  }
  return undefined;
}
