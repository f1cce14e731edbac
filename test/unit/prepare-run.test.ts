import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { javaAdvice, javaMessage } from '../../tools/prepare/decisions.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const osRelease = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
const isRoot = process.getuid?.() === 0;
/** The user "nobody" on every Unix. Root switches to it in tests about a user who is not root. */
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

let clone: string;
let programs: string;

/** A clone that contains only prepare and a lock file, and a PATH that contains only the programs of the test. */
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'gateline-prepare-'));
  programs = join(clone, 'programs');
  mkdirSync(programs);
  cpSync(join(repository, 'tools/prepare.mjs'), join(clone, 'tools/prepare.mjs'));
  cpSync(join(repository, 'tools/prepare'), join(clone, 'tools/prepare'), { recursive: true });
  writeFileSync(join(clone, 'package-lock.json'), '{"lockfileVersion":3}');
  chmodSync(clone, 0o755);
});

afterEach(() => rmSync(clone, { recursive: true, force: true }));

function program(name: string, script: string): void {
  writeFileSync(join(programs, name), `#!${process.execPath}\nconst fs = require('node:fs');\n${script}\n`);
  chmodSync(join(programs, name), 0o755);
}

const withJava = () => program('java', `console.log('jdk.compiler@17.0.15');`);

/** Replaces npm: it logs each call and leaves a node_modules behind. */
const withNpm = () =>
  program(
    'npm',
    `fs.appendFileSync('${join(clone, 'npm-calls')}', process.argv.slice(2).join(' ') + '\\n');
     setTimeout(() => fs.mkdirSync('node_modules', { recursive: true }), 200);`,
  );

const npmCalls = () => readFileSync(join(clone, 'npm-calls'), 'utf8').trim().split('\n');

function prepare(flags: readonly string[] = [], as: { uid?: number; gid?: number } = {}) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [join(clone, 'tools/prepare.mjs'), ...flags], {
      ...as,
      cwd: clone,
      env: { PATH: programs },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

describe('prepare without Java', () => {
  it('prepare prints the install command to a user who is not root, and installs nothing', async () => {
    withNpm();
    const advice = javaAdvice({ platform: process.platform, osRelease, isRoot: false });
    const message = javaMessage(advice.kind === 'tell' ? advice.command : undefined);
    expect(await prepare([], nobody)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
    expect(existsSync(join(clone, 'npm-calls'))).toBe(false);
  });

  it.each(['jdk.compiler@11.0.21', 'java.base@17.0.15'])(
    'prepare prints the same for a Java that is too old or no JDK: %s',
    async (modules) => {
      program('java', `console.log('${modules}');`);
      const { code, stderr } = await prepare([], nobody);
      expect(code).toBe(1);
      expect(stderr).toContain('a JDK of Java 17 or newer');
    },
  );

  it('prepare continues with --no-java', async () => {
    withNpm();
    expect((await prepare(['--no-java'])).code).toBe(0);
  });

  it.runIf(isRoot && javaAdvice({ platform: process.platform, osRelease, isRoot }).kind === 'install')(
    'prepare installs Java as root on Debian, and updates the package lists when they are empty',
    async () => {
      withNpm();
      const lists = join(clone, 'lists');
      const java = join(programs, 'java');
      program('apt-cache', `if (fs.existsSync('${lists}')) console.log('  Candidate: 17.0.15+6-1~deb12u1');`);
      program(
        'apt-get',
        `const said = process.argv.slice(2).join(' ');
         fs.appendFileSync('${join(clone, 'apt-calls')}', process.env.DEBIAN_FRONTEND + ' ' + said + '\\n');
         if (said.endsWith('update')) fs.writeFileSync('${lists}', '');
         else fs.writeFileSync('${java}', "#!${process.execPath}\\nconsole.log('jdk.compiler@17.0.15')", { mode: 0o755 });`,
      );
      expect(await prepare()).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync(join(clone, 'apt-calls'), 'utf8').trim().split('\n')).toEqual([
        'noninteractive -o DPkg::Lock::Timeout=120 update',
        'noninteractive -o DPkg::Lock::Timeout=120 install -y --no-install-recommends openjdk-17-jdk-headless',
      ]);
    },
  );
});

describe('prepare with Java', () => {
  beforeEach(withJava);

  it('prepare installs from the lock file once, and prints nothing when there is nothing to do', async () => {
    withNpm();
    const installing = 'Installing dependencies from the lock file …\n';
    expect(await prepare()).toEqual({ code: 0, stdout: installing, stderr: '' });
    expect(await prepare()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(npmCalls()).toEqual(['ci --include=dev']);
    expect(existsSync(join(clone, '.local/install.lock'))).toBe(false);
  });

  it.each([
    ['all of it', '', false],
    ['all but what develops it', 'dev', true],
  ])('prepare after `npm ci` that installed %s', async (_what, npm_config_omit, installs) => {
    withNpm();
    mkdirSync(join(clone, 'node_modules'));
    const env = { PATH: programs, npm_config_omit };
    spawnSync(process.execPath, [join(clone, 'tools/prepare/installed.mjs')], { env });
    await prepare();
    expect(existsSync(join(clone, 'npm-calls'))).toBe(installs);
  });

  it('prepare installs again when the lock file has changed', async () => {
    withNpm();
    await prepare();
    writeFileSync(join(clone, 'package-lock.json'), '{"lockfileVersion":4}');
    await prepare();
    expect(npmCalls()).toHaveLength(2);
  });

  it('prepare installs once when four processes start together', async () => {
    withNpm();
    const runs = await Promise.all([prepare(), prepare(), prepare(), prepare()]);
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(4).fill({ code: 0, stderr: '' }));
    expect(npmCalls()).toHaveLength(1);
  });

  it('prepare takes over the lock of a process that no longer exists', async () => {
    withNpm();
    mkdirSync(join(clone, '.local/install.lock'), { recursive: true });
    // Larger than any process id that Linux or macOS assigns.
    writeFileSync(join(clone, '.local/install.lock/99999999-killed'), '99999998');
    await Promise.all([prepare(), prepare()]);
    expect(npmCalls()).toHaveLength(1);
  });

  it('prepare shows the output of npm when it fails, and tries again next time', async () => {
    program('npm', `fs.mkdirSync('node_modules'); console.error('npm error network ETIMEDOUT'); process.exit(1);`);
    const { code, stderr } = await prepare();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^npm error network ETIMEDOUT\nThe installation of the dependencies failed. [^\n]+\n$/);
    withNpm();
    expect((await prepare()).code).toBe(0);
    expect(npmCalls()).toHaveLength(1);
  });

  it('prepare reports in one line that npm is missing', async () => {
    const { code, stderr } = await prepare();
    expect(code).toBe(1);
    expect(stderr).toContain('npm did not start');
  });
});
