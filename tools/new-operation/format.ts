import { spawnSync } from 'node:child_process';

/** Formats what was written, and describes the new registry in docs/openapi.json. */
export function formatAndDescribe(root: string, files: readonly string[]): void {
  run(root, ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...files]);
  run(root, ['--import', 'tsx', 'tools/write-openapi.ts']);
}

function run(root: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
