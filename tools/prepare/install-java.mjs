import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { debianPackage, javaAdvice, javaMessage } from './decisions.mjs';
import { findJava } from './find-java.mjs';
import { Problem } from './problem.mjs';
import { run } from './run.mjs';

/** Undefined if this process can install Java, otherwise the message that tells the user how. */
export function javaProblem() {
  const isRoot = process.getuid?.() === 0;
  const advice = javaAdvice({ platform: process.platform, osRelease: readOsRelease(), isRoot });
  return advice.kind === 'tell' ? javaMessage(advice.command) : undefined;
}

/** For root on Debian and its derivatives only: javaProblem() has returned a message for all others. */
export async function installJava(lock) {
  const wanted = choosePackage() ?? (await updateAndChoose(lock));
  if (wanted === undefined) {
    throw new Problem(javaMessage(undefined));
  }
  process.stdout.write(`Installing ${wanted} for DynamoDB Local …\n`);
  let result = await aptGet(lock, ['install', '-y', '--no-install-recommends', wanted]);
  if (result.code !== 0) {
    // Outdated package lists refer to files that no longer exist, so this tries again after an update.
    await aptGet(lock, ['update']);
    result = await aptGet(lock, ['install', '-y', '--no-install-recommends', wanted]);
  }
  if (result.code !== 0) {
    throw new Problem(`${result.output}${javaMessage(`apt-get update && apt-get install ${wanted}`)}`);
  }
  if (findJava(process.env) === undefined) {
    throw new Problem(
      `${wanted} is installed, but \`java\` is still an older version. Set JAVA_HOME to a folder in /usr/lib/jvm.`,
    );
  }
}

/** Container images often have no package lists. */
async function updateAndChoose(lock) {
  await aptGet(lock, ['update']);
  return choosePackage();
}

function choosePackage() {
  return debianPackage({
    openjdk17Policy: policy('openjdk-17-jdk-headless'),
    defaultPolicy: policy('default-jdk-headless'),
  });
}

function policy(name) {
  const env = { ...process.env, LC_ALL: 'C' };
  return spawnSync('apt-cache', ['policy', name], { env, encoding: 'utf8' }).stdout ?? '';
}

/** Never prompts, and waits for another apt-get instead of failing. */
function aptGet(lock, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  return run(lock, 'apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], { env });
}

function readOsRelease() {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}
