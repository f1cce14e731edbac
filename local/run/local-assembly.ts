import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface AssemblySources {
  /** The files and whole folders that determine the stack. */
  readonly sources: readonly string[];
  /** What else determines it. */
  readonly variant?: string;
  /** The folder of the cached assemblies. */
  readonly folder: string;
  synthesize(folder: string): Promise<void>;
}

const keptMs = 7 * 86_400_000;

/**
 * Returns the assembly of these sources and synthesizes it only when one of them has changed, because that takes longer than
 * all other steps of a start. The name contains the sources' hash, and the folder gets its name when it is complete, so
 * concurrent runs, also of different sources, do not overwrite each other's code.
 */
export async function localAssembly({ sources, variant, folder, synthesize }: AssemblySources): Promise<string> {
  const assembly = join(folder, `assembly-${fingerprint(sources, variant)}`);
  if (existsSync(assembly)) return assembly;
  // The folder of a checkout also holds keys, so nobody else may read it.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeOld(folder);
  const draft = mkdtempSync(join(folder, 'draft-'));
  try {
    await synthesize(draft);
    renameSync(draft, assembly);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // A concurrent run may have created the same assembly.
    if (!existsSync(assembly)) throw error;
  }
  return assembly;
}

function fingerprint(sources: readonly string[], variant = ''): string {
  const hash = createHash('sha256').update(variant).update('\0');
  for (const file of sources.flatMap(filesIn)) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Keeps assemblies for a week, because a run that still uses one may be days old. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => /^(assembly|draft)-/.test(entry))) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < Date.now() - keptMs) rmSync(path, { recursive: true, force: true });
  }
}
