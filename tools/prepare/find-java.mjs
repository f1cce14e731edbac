import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { javaMajor, oldestJava } from './decisions.mjs';

/** The first Java that is new enough: the one JAVA_HOME names, then the one on the PATH. */
export function findJava(env) {
  const candidates = [...(env.JAVA_HOME ? [join(env.JAVA_HOME, 'bin', 'java')] : []), 'java'];
  return candidates.find((java) => isNewEnough(java, env));
}

function isNewEnough(java, env) {
  // Java prints its version on stderr; a missing program leaves both texts null.
  const { stdout, stderr } = spawnSync(java, ['-version'], { env, encoding: 'utf8' });
  const major = javaMajor(`${stderr ?? ''}\n${stdout ?? ''}`);
  return major !== undefined && major >= oldestJava;
}
