import { createHash } from 'node:crypto';

// What prepare decides, without touching anything: each function is told what was found and says what follows.

/** The Node that functions have on Lambda. package.json brings it as an optional package for these platforms. */
const ownNodeMajor = 24;
const ownNodePlatforms = ['darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];

/** npm itself needs this; what it then installs runs on the Node that the project brings. */
const oldestNode = 20;
/** Where the project brings no Node, everything runs on the machine's. */
const oldestNodeToRunOn = 22;

/** One line for the reader when this Node is too old, otherwise nothing. */
export function nodeProblem({ version, platform, arch }) {
  const oldest = ownNodePlatforms.includes(`${platform}-${arch}`) ? oldestNode : oldestNodeToRunOn;
  return Number.parseInt(version, 10) >= oldest
    ? undefined
    : `Gateline needs Node ${oldest} or newer, and this is Node ${version}. Install a newer one from https://nodejs.org and run this again.`;
}

/** One line when the project runs on another Node than Lambda's. `ownVersion` is what the project's own Node says, if it runs. */
export function nodeNotice({ ownVersion, version, platform, arch }) {
  if (ownVersion !== undefined || Number.parseInt(version, 10) === ownNodeMajor) {
    return undefined;
  }
  return `There is no Node ${ownNodeMajor} package for ${platform}-${arch}: running on this machine's Node ${version} instead.`;
}

/**
 * What an installed node_modules depends on: the lock file, and what native packages are chosen by. It is written beside
 * the packages after a successful install, so an install that broke off half-way has none.
 */
export function installStamp({ lockFile, platform, arch }) {
  const lockHash = createHash('sha256').update(lockFile).digest('hex');
  return `${JSON.stringify({ lockHash, platform, arch })}\n`;
}

/** `found` is the text of the stamp in node_modules, undefined when there is none. */
export function isStale(found, wanted) {
  return found !== wanted;
}

/** DynamoDB Local runs on this Java and newer ones. */
export const oldestJava = 17;

/**
 * The major version in what `java -version` prints. Java 8 calls itself "1.8.0"; macOS has a `java` that only says that
 * there is none, hence undefined.
 */
export function javaMajor(text) {
  const match = /^\S+ version "(?:1\.)?(\d+)/m.exec(text);
  return match ? Number(match[1]) : undefined;
}

/** How each family of Linux installs a Java that is new enough; the names are those of os-release's ID. */
const linuxCommands = {
  debian: 'apt-get install -y openjdk-17-jre-headless',
  fedora: 'dnf install -y java-21-openjdk-headless',
  rhel: 'dnf install -y java-21-openjdk-headless',
  arch: 'pacman -S --noconfirm jre17-openjdk-headless',
  alpine: 'apk add openjdk17-jre-headless',
  suse: 'zypper install -y java-17-openjdk-headless',
};

/** Whether we may install Java ourselves, or else the one command for the reader. */
export function javaAdvice({ platform, osRelease, isRoot }) {
  if (platform === 'darwin') {
    return { kind: 'tell', command: 'brew install --cask temurin@17' };
  }
  if (platform === 'win32') {
    return { kind: 'tell', command: 'winget install --exact --id EclipseAdoptium.Temurin.17.JRE' };
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

/** The line the reader sees. */
export function javaMessage(command) {
  const wanted = `Gateline needs Java ${oldestJava} or newer for DynamoDB Local`;
  return command === undefined
    ? `${wanted}: install a Java runtime (https://adoptium.net), put it on the PATH or set JAVA_HOME, and run this again.`
    : `${wanted}. Install it with: ${command}`;
}

/** ID comes first, then what the distribution says it is like: Ubuntu and Mint are Debians, openSUSE is a suse. */
function linuxFamily(osRelease) {
  const names = ['ID', 'ID_LIKE'].flatMap((key) => {
    const line = new RegExp(`^${key}=(.*)$`, 'm').exec(osRelease);
    return line ? line[1].replaceAll(/["']/g, '').trim().split(/\s+/) : [];
  });
  return names.find((name) => Object.hasOwn(linuxCommands, name));
}

/**
 * Which package brings Java, given what `apt-cache policy` prints for the two candidates: 17 where the distribution has it
 * (that is what CI runs), otherwise its default when that is new enough.
 */
export function debianPackage({ openjdk17Policy, defaultPolicy }) {
  if (candidate(openjdk17Policy) !== undefined) {
    return 'openjdk-17-jre-headless';
  }
  // Debian numbers its default Java after the old "1.x" fashion: 2:1.21-76 is Java 21.
  const major = /^(?:\d+:)?1\.(\d+)/.exec(candidate(defaultPolicy) ?? '');
  return major && Number(major[1]) >= oldestJava ? 'default-jre-headless' : undefined;
}

function candidate(policy) {
  const version = /^\s*Candidate: (\S+)/m.exec(policy)?.[1];
  return version === '(none)' ? undefined : version;
}
