import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
const { packages } = v.parse(
  v.looseObject({
    packages: v.record(
      v.string(),
      v.looseObject({ optionalDependencies: v.optional(v.record(v.string(), v.string()), {}) }),
    ),
  }),
  JSON.parse(text),
);

describe('lock file', () => {
  it('the lock file names the packages of every platform, or npm ci refuses it (fix it with: npm run lock)', () => {
    const platform = /(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|win32)/;
    const wanted = Object.values(packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies));
    const missing = wanted.filter((name) => platform.test(name) && packages[`node_modules/${name}`] === undefined);
    expect(missing).toEqual([]);
  });

  it.each(['arm64', 'x64'])(
    'the lock file has a package with integrity hash for Linux on %s wherever one is needed',
    (cpu) => {
      const native = Object.entries(packages).filter(([name]) => new RegExp(`linux-${cpu}(-gnu)?$`).test(name));
      expect(native.length).toBeGreaterThan(2);
      expect(native.filter(([, entry]) => typeof entry.integrity !== 'string').map(([name]) => name)).toEqual([]);
    },
  );

  it('the lock file has the integrity hash of every package, except those that only other platforms need', () => {
    const elsewhere = /(android|arm|darwin|freebsd|musl|openharmony|ppc64|riscv64|s390x|win32)/;
    const unchecked = Object.entries(packages)
      .filter(([name, entry]) => name !== '' && entry.inBundle !== true && typeof entry.integrity !== 'string')
      .map(([name]) => name);
    expect(unchecked.filter((name) => !elsewhere.test(name))).toEqual([]);
  });

  it('the lock file names no registry', () => {
    expect(text).not.toContain('"resolved"');
    expect(text).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });
});
