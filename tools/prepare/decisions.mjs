import { createHash } from 'node:crypto';

// The decisions of prepare as pure functions: each gets what was found and returns what follows.

/** Lambda's Node version. package.json has it as an optional package for these platforms. */
const ownNodeMajor = 24;
const ownNodePlatforms = ['darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];

/** npm itself needs this version. Everything else runs on the Node package of the project. */
const oldestNode = 20;
/** On platforms without a Node package, everything runs on the installed Node. */
const oldestNodeToRunOn = 22;

/** One line for the user if this Node is too old. */
export function nodeProblem({ version, platform, arch }) {
  const oldest = ownNodePlatforms.includes(`${platform}-${arch}`) ? oldestNode : oldestNodeToRunOn;
  return Number.parseInt(version, 10) >= oldest
    ? undefined
    : `Gateline requires Node ${oldest} or newer. This is Node ${version}. Install a newer one from https://nodejs.org and try again.`;
}

/** One line if the project does not run on Lambda's Node version. `ownVersion` is the version of the Node package, if it runs. */
export function nodeNotice({ ownVersion, version, platform, arch }) {
  if (ownVersion !== undefined || Number.parseInt(version, 10) === ownNodeMajor) {
    return undefined;
  }
  return `No Node ${ownNodeMajor} package for ${platform}-${arch}. Running on the installed Node ${version} instead.`;
}

/**
 * What an installed node_modules depends on: the lock file and the platform of native packages. It is written to node_modules
 * after a successful installation, so an interrupted one has no stamp.
 */
export function installStamp({ lockFile, platform, arch }) {
  const lockHash = createHash('sha256').update(lockFile).digest('hex');
  return `${JSON.stringify({ lockHash, platform, arch })}\n`;
}

/** `found` is the stamp in node_modules; undefined if there is none. */
export function isStale(found, wanted) {
  return found !== wanted;
}

/** The oldest version of Java for DynamoDB Local. It must be a development kit, because Java compiles our launcher when it starts. */
export const oldestJava = 17;

/** The major version of the compiler in the output of `java --list-modules`. Undefined for a runtime without one, and for Java 8. */
export function jdkMajor(text) {
  const match = /^jdk\.compiler@(\d+)/m.exec(text);
  return match ? Number(match[1]) : undefined;
}

/** The command that installs Java on each family of Linux, by the ID in os-release. */
const linuxCommands = {
  debian: 'apt-get install -y openjdk-17-jdk-headless',
  fedora: 'dnf install -y java-21-openjdk-devel',
  rhel: 'dnf install -y java-21-openjdk-devel',
  arch: 'pacman -S --noconfirm jdk17-openjdk',
  alpine: 'apk add openjdk17-jdk',
  suse: 'zypper install -y java-17-openjdk-devel',
};

/** Whether this script can install Java, or otherwise the command for the user. */
export function javaAdvice({ platform, osRelease, isRoot }) {
  if (platform === 'darwin') {
    return { kind: 'tell', command: 'brew install --cask temurin@17' };
  }
  if (platform === 'win32') {
    return { kind: 'tell', command: 'winget install --exact --id EclipseAdoptium.Temurin.17.JDK' };
  }
  const family = linuxFamily(osRelease);
  if (family === undefined) {
    return { kind: 'tell', command: undefined };
  }
  if (family === 'debian' && isRoot) {
    return { kind: 'install' };
  }
  return { kind: 'tell', command: `${isRoot ? '' : 'sudo '}${linuxCommands[family]}` };
}

/** The message for the user. */
export function javaMessage(command) {
  const wanted = `Gateline requires a JDK of Java ${oldestJava} or newer for DynamoDB Local`;
  return command === undefined
    ? `${wanted}. Install one (https://adoptium.net), add it to the PATH or set JAVA_HOME, and try again.`
    : `${wanted}. Install it with: ${command}`;
}

/** Tries ID first, then ID_LIKE: Ubuntu and Mint are like Debian, openSUSE is like suse. */
function linuxFamily(osRelease) {
  const names = ['ID', 'ID_LIKE'].flatMap((key) => {
    const line = new RegExp(`^${key}=(.*)$`, 'm').exec(osRelease);
    return line ? line[1].replaceAll(/["']/g, '').trim().split(/\s+/) : [];
  });
  return names.find((name) => Object.hasOwn(linuxCommands, name));
}

/**
 * The Java package to install, from the output of `apt-cache policy` for two candidates: version 17 if the distribution has it
 * (CI uses it), otherwise the default package if it is new enough.
 */
export function debianPackage({ openjdk17Policy, defaultPolicy }) {
  if (candidate(openjdk17Policy) !== undefined) {
    return 'openjdk-17-jdk-headless';
  }
  // Debian's version of its default Java package starts with "1.": 2:1.21-76 is Java 21.
  const major = /^(?:\d+:)?1\.(\d+)/.exec(candidate(defaultPolicy) ?? '');
  return major && Number(major[1]) >= oldestJava ? 'default-jdk-headless' : undefined;
}

function candidate(policy) {
  const version = /^\s*Candidate: (\S+)/m.exec(policy)?.[1];
  return version === '(none)' ? undefined : version;
}
