/** A published version of a function, and the release that it belongs to. */
export interface FunctionVersion {
  readonly version: number;
  readonly release: string;
}

/** A function with an alias, as Lambda reports it. */
export interface ReleasedFunction {
  readonly arn: string;
  readonly name: string;
  readonly alias: string;
  /** The release of the last deployment. */
  readonly deployed: string;
  /** The version that the alias points to. */
  readonly live: FunctionVersion;
  /** The published versions that were read, in any order. */
  readonly versions: readonly FunctionVersion[];
  /** The releases that a rollback has replaced. A later rollback does not return to them unless it names one. */
  readonly withdrawn: readonly string[];
}

export interface Move {
  readonly arn: string;
  readonly name: string;
  readonly alias: string;
  readonly from: FunctionVersion;
  readonly to: FunctionVersion;
  /** The withdrawn releases after the move, the last one last. */
  readonly withdrawn: readonly string[];
}

export interface RollbackPlan {
  readonly to: string;
  readonly moves: readonly Move[];
  /** Functions that have no version of the release, because they did not exist in it. They do not change. */
  readonly without: readonly string[];
}

/** Why nothing can be planned, in one sentence that says what to do. */
export class RollbackRefused extends Error {}

/**
 * The release before the deployed one. A stage that is rolled back already, completely or in part, has the same previous
 * release: repeating an interrupted rollback completes it, and does not go back any further.
 */
export function previousRelease(functions: readonly ReleasedFunction[]): string {
  const deployed = theOne(functions.map((each) => each.deployed));
  const older = functions.flatMap(({ live, versions, withdrawn }) => {
    if (live.release !== deployed) return [live.release];
    const before = versions.filter(
      ({ version, release }) => version < live.version && release !== deployed && !withdrawn.includes(release),
    );
    return before.sort((a, b) => b.version - a.version)[0]?.release ?? [];
  });
  const found = [...new Set(older)];
  if (found.length > 1)
    throw new RollbackRefused(
      `The functions do not have the same previous release: ${found.join(', ')}. Choose one with --to <release>.`,
    );
  const [previous] = found;
  if (previous === undefined) throw new RollbackRefused(`No function has a version before the release ${deployed}.`);
  return previous;
}

function theOne(deployed: readonly string[]): string {
  const [first = '', ...others] = [...new Set(deployed)];
  if (others.length > 0)
    throw new RollbackRefused(
      `The functions are of several releases (${[first, ...others].join(', ')}): a deployment was interrupted. Choose one with --to <release>.`,
    );
  return first;
}

/** Plans to point every alias at its newest version of the release. */
export function planRollback(functions: readonly ReleasedFunction[], to: string): RollbackPlan {
  const moves: Move[] = [];
  const without: string[] = [];
  for (const { arn, name, alias, live, versions, withdrawn } of functions) {
    const [newest] = versions.filter(({ release }) => release === to).sort((a, b) => b.version - a.version);
    if (live.release === to) continue;
    if (newest === undefined) without.push(name);
    else moves.push({ arn, name, alias, from: live, to: newest, withdrawn: withdraw(withdrawn, live.release, to) });
  }
  if (without.length === functions.length) throw new RollbackRefused(`No function has a version of the release ${to}.`);
  return { to, moves, without };
}

/** A tag has room for this many. */
const maxWithdrawn = 10;

function withdraw(withdrawn: readonly string[], from: string, to: string): string[] {
  return [...withdrawn.filter((release) => release !== from), from]
    .filter((release) => release !== to)
    .slice(-maxWithdrawn);
}
