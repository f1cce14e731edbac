import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Programs } from '../../tools/emulator/programs.ts';
import { changeFile, copyProject, root } from '../../tools/emulator/project-copy.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateline-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (script: string) => ({ command: process.execPath, args: ['-e', script], cwd: folder, env: process.env });

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('npm run test:deploy', () => {
  it('is skipped with one line on a machine without Python', () => {
    const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'tools/test-deploy.ts'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, PATH: folder },
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^Skipped: python3 .* is not installed, which the emulator of AWS needs\.\n$/);
    expect(status).toBe(0);
  });

  it('reports the last lines of a program that fails', async () => {
    const program = { ...node("console.log('first'); console.error('it broke'); process.exit(3)"), name: 'failing' };
    await expect(new Programs(folder).run(program)).rejects.toThrow(/^failing ended with 3\.[\s\S]*it broke/);
  });

  it('stops a program together with the processes that it has started, and starts no other', async () => {
    const programs = new Programs(folder);
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log(child.pid);
      setInterval(() => {}, 1000);`;
    const { pid = 0 } = programs.start({ ...node(script), name: 'running' });
    await expect.poll(() => programs.output('running'), { timeout: 30_000 }).toMatch(/^\d+\n$/);
    const childPid = Number(programs.output('running'));
    await programs.stopAll();
    expect(isRunning(pid)).toBe(false);
    await expect.poll(() => isRunning(childPid), { timeout: 30_000 }).toBe(false);
    expect(() => programs.start({ ...node(''), name: 'late' })).toThrow('The run was stopped.');
  });

  it('changes a copy of the project only', () => {
    const file = 'functions/api/service/health.ts';
    const before = readFileSync(join(root, file), 'utf8');
    const copy = copyProject(folder);
    changeFile(copy, file, "status: 'ok'", "status: 'updated'");
    expect(readFileSync(join(copy, file), 'utf8')).toBe(before.replace("status: 'ok'", "status: 'updated'"));
    expect(readFileSync(join(root, file), 'utf8')).toBe(before);
    expect(() => changeFile(copy, file, 'no such text', '')).toThrow('does not contain this exactly once');
  });
});
