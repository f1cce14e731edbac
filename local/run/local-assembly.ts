import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface AssemblySources {
  /** Files, and folders with everything in them, that decide what the stack is. */
  readonly sources: readonly string[];
  /** Where assemblies are kept. */
  readonly folder: string;
  synthesize(folder: string): Promise<void>;
}

const keptMs = 7 * 86_400_000;

/**
 * The assembly of these sources, synthesized only when one of them has changed since: that takes longer than everything
 * else at a start. Each has a name of its own and appears under it when it is complete, so that runs beside each other,
 * also of different sources, do not take each other's code away.
 */
export async function localAssembly({ sources, folder, synthesize }: AssemblySources): Promise<string> {
  const assembly = join(folder, `assembly-${fingerprint(sources)}`);
  if (existsSync(assembly)) return assembly;
  removeOld(folder);
  const draft = mkdtempSync(join(folder, 'draft-'));
  try {
    await synthesize(draft);
    renameSync(draft, assembly);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Somebody else may have made the same one meanwhile.
    if (!existsSync(assembly)) throw error;
  }
  return assembly;
}

function fingerprint(sources: readonly string[]): string {
  const hash = createHash('sha256');
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

/** A run that began long ago may still take code from its own. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => /^(assembly|draft)-/.test(entry))) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < Date.now() - keptMs) rmSync(path, { recursive: true, force: true });
  }
}
