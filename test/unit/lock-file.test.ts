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
  it('the lock file names the packages of every platform, or npm ci refuses it', () => {
    const platform = /(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|win32)/;
    const wanted = Object.values(packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies));
    const missing = wanted.filter((name) => platform.test(name) && packages[`node_modules/${name}`] === undefined);
    expect(missing).toEqual([]);
  });

  it('the lock file has the integrity hash of every package', () => {
    const unchecked = Object.entries(packages)
      .filter(([name, entry]) => name !== '' && entry.inBundle !== true && typeof entry.integrity !== 'string')
      .map(([name]) => name);
    expect(unchecked).toEqual([]);
  });

  it('the lock file names no registry', () => {
    expect(text).not.toContain('"resolved"');
    expect(text).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });
});
