import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

/**
 * Adds to package-lock.json the platform packages that npm left out because this registry does not have them. `npm ci` rejects
 * a lock file without the optional packages of every platform. An entry gets its integrity hash if the registry has it; npm
 * checks the others against the registry that it installs from.
 */
const Entry = v.looseObject({
  version: v.optional(v.string()),
  dev: v.optional(v.boolean()),
  optionalDependencies: v.optional(v.record(v.string(), v.string())),
});
const Lock = v.looseObject({ packages: v.record(v.string(), Entry) });

const file = new URL('../package-lock.json', import.meta.url);
const lock = v.parse(Lock, JSON.parse(readFileSync(file, 'utf8')));
const missing = Object.values(lock.packages).flatMap(({ dev, optionalDependencies }) =>
  Object.entries(optionalDependencies ?? {})
    .filter(([name]) => lock.packages[`node_modules/${name}`] === undefined)
    .flatMap(([name, version]) => platformEntry(name, version, dev)),
);
for (const [name, entry] of missing) lock.packages[`node_modules/${name}`] = v.parse(Entry, entry);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} platform packages added to package-lock.json.`);

/** The platform of a package follows from its name: `@rollup/rollup-linux-arm64-musl`. */
function platformEntry(name: string, version: string, dev: boolean | undefined): [string, object][] {
  const words = name.split(/[/-]/);
  const os = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'win32'].find((word) =>
    words.includes(word),
  );
  if (os === undefined || !/^\d+\.\d+\.\d+$/.test(version)) return [];
  const cpu = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el'].find((word) =>
    words.includes(word),
  );
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc';
  return [
    [
      name,
      {
        version,
        ...integrityOf(name, version),
        ...(cpu !== undefined && { cpu: [cpu] }),
        ...(dev === true && { dev }),
        ...(os === 'linux' && { libc: [libc] }),
        optional: true,
        os: [os],
      },
    ],
  ];
}

function integrityOf(name: string, version: string): { integrity?: string } {
  try {
    const asked = ['view', `${name}@${version}`, 'dist.integrity'];
    const integrity = execFileSync('npm', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return integrity === '' ? {} : { integrity };
  } catch {
    return {};
  }
}
