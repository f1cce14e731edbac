import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { javaMajor, oldestJava } from './decisions.mjs';

/** The first Java that is new enough: in JAVA_HOME, then on the PATH. */
export function findJava(env) {
  const candidates = [...(env.JAVA_HOME ? [join(env.JAVA_HOME, 'bin', 'java')] : []), 'java'];
  return candidates.find((java) => isNewEnough(java, env));
}

function isNewEnough(java, env) {
  // Java prints its version on stderr. For a missing program, both outputs are null.
  const { stdout, stderr } = spawnSync(java, ['-version'], { env, encoding: 'utf8' });
  const major = javaMajor(`${stderr ?? ''}\n${stdout ?? ''}`);
  return major !== undefined && major >= oldestJava;
}
