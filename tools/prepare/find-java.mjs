import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { jdkMajor, oldestJava } from './decisions.mjs';

/** The first JDK that is new enough: in JAVA_HOME, then on the PATH. */
export function findJava(env) {
  const candidates = [...(env.JAVA_HOME ? [join(env.JAVA_HOME, 'bin', 'java')] : []), 'java'];
  return candidates.find((java) => isNewEnough(java, env));
}

function isNewEnough(java, env) {
  // For a missing program, the output is null.
  const major = jdkMajor(spawnSync(java, ['--list-modules'], { env, encoding: 'utf8' }).stdout ?? '');
  return major !== undefined && major >= oldestJava;
}
