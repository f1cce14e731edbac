import { describe, expect, it } from 'vitest';
import {
  debianPackage,
  installStamp,
  isStale,
  javaAdvice,
  javaMessage,
  jdkMajor,
  nodeNotice,
  nodeProblem,
} from '../../tools/prepare/decisions.mjs';

describe('prepare: Node version check', () => {
  const machine = { platform: 'linux', arch: 'x64' };

  it.each(['18.20.8', '19.9.0', '9.11.2'])('prepare names the version and the required one on Node %s', (version) => {
    expect(nodeProblem({ ...machine, version })).toMatch(/^[^\n]*Node 20 or newer[^\n]*$/);
    expect(nodeProblem({ ...machine, version })).toContain(version);
  });

  it.each(['20.0.0', '24.1.0', '100.0.0'])('prepare accepts Node %s', (version) => {
    expect(nodeProblem({ ...machine, version })).toBeUndefined();
  });

  it('prepare asks for Node 22 when the project contains no Node', () => {
    const mac = { platform: 'darwin', arch: 'arm64' };
    expect(nodeProblem({ ...mac, version: '20.20.2' })).toContain('Node 22 or newer');
    expect(nodeProblem({ ...mac, version: '22.1.0' })).toBeUndefined();
  });
});

describe('prepare: Node of the project', () => {
  const mac = { version: '22.1.0', platform: 'darwin', arch: 'arm64' };

  it('prepare uses the Node of the project without a message', () => {
    expect(nodeNotice({ ...mac, ownVersion: '24.21.0' })).toBeUndefined();
  });

  it('prepare reports in one line that the Node of the project is missing', () => {
    expect(nodeNotice({ ...mac, ownVersion: undefined })).toBe(
      'No Node 24 package for darwin-arm64. Running on the installed Node 22.1.0 instead.',
    );
  });

  it('prepare accepts a missing Node of the project when the machine has the same major version', () => {
    expect(nodeNotice({ ...mac, version: '24.1.0', ownVersion: undefined })).toBeUndefined();
  });
});

describe('prepare: stale node_modules', () => {
  const installed = { lockFile: '{"lockfileVersion":3}', platform: 'linux', arch: 'arm64' };
  const stamp = installStamp(installed);

  it('node_modules without a stamp is stale: the install never finished', () => {
    expect(isStale(undefined, stamp)).toBe(true);
    expect(isStale('', stamp)).toBe(true);
  });

  it.each([
    ['the lock file', { lockFile: '{"lockfileVersion":4}' }],
    ['the platform', { platform: 'darwin' }],
    ['the processor', { arch: 'x64' }],
  ])('node_modules for another state of %s is stale', (_, change) => {
    expect(isStale(stamp, installStamp({ ...installed, ...change }))).toBe(true);
  });
});

/** Lines that the programs really print for `java --list-modules`. */
const printed: readonly (readonly [what: string, major: number | undefined, text: string])[] = [
  ['Debian 17', 17, 'java.base@17.0.15\njava.compiler@17.0.15\njdk.compiler@17.0.15\njdk.jshell@17.0.15'],
  ['a first release, without a minor version', 25, 'java.base@25\njdk.compiler@25\n'],
  ['an early-access build', 25, 'java.base@25-ea\njdk.compiler@25-ea\n'],
  ['Java 11', 11, 'java.base@11.0.21\njdk.compiler@11.0.21\n'],
  ['a runtime without a compiler', undefined, 'java.base@17.0.15\njava.compiler@17.0.15\n'],
  ['Java 8, which does not know the option', undefined, ''],
];

it.each(printed)('prepare reads the version that %s prints', (_, major, text) => {
  expect(jdkMajor(text)).toBe(major);
});

describe('prepare: advice when Java is missing', () => {
  const debian = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n';
  const ubuntu = 'NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n';
  const mint = 'NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n';

  it.each([debian, ubuntu, mint])('prepare installs Java as root on Debian and its derivatives', (osRelease) => {
    expect(javaAdvice({ platform: 'linux', osRelease, isRoot: true })).toEqual({ kind: 'install' });
  });

  it.each([
    ['linux', debian, false, 'sudo apt-get install -y openjdk-17-jdk-headless'],
    ['linux', ubuntu, false, 'sudo apt-get install -y openjdk-17-jdk-headless'],
    ['linux', 'ID=fedora\nVERSION_ID=42\n', false, 'sudo dnf install -y java-21-openjdk-devel'],
    ['linux', 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', true, 'dnf install -y java-21-openjdk-devel'],
    ['linux', 'ID=arch\n', false, 'sudo pacman -S --noconfirm jdk17-openjdk'],
    ['linux', 'ID=alpine\n', true, 'apk add openjdk17-jdk'],
    ['linux', 'ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', false, 'sudo zypper install -y java-17-openjdk-devel'],
    ['darwin', '', false, 'brew install --cask temurin@17'],
    ['win32', '', false, 'winget install --exact --id EclipseAdoptium.Temurin.17.JDK'],
  ])('prepare recommends one command on %s (%j, root: %s)', (platform, osRelease, isRoot, command) => {
    expect(javaAdvice({ platform, osRelease, isRoot })).toEqual({ kind: 'tell', command });
    expect(javaMessage(command)).toContain(command);
  });

  it.each(['', 'ID=nixos\n', 'ID=constructor\n'])(
    'prepare gives a general hint when it knows no command (%j)',
    (osRelease) => {
      const advice = javaAdvice({ platform: 'linux', osRelease, isRoot: true });
      expect(advice).toEqual({ kind: 'tell', command: undefined });
      expect(javaMessage(undefined)).toContain('JAVA_HOME');
    },
  );
});

describe('prepare: Debian package of Java', () => {
  const offers = (version: string) => `package:\n  Installed: (none)\n  Candidate: ${version}\n  Version table:\n`;
  const bookworm17 = offers('17.0.15+6-1~deb12u1');

  it('prepare chooses the package of Java 17 where the distribution has it', () => {
    expect(debianPackage({ openjdk17Policy: bookworm17, defaultPolicy: offers('2:1.17-74') })).toBe(
      'openjdk-17-jdk-headless',
    );
  });

  it.each(['', offers('(none)')])(
    'prepare chooses the default Java where it is newer and there is no 17',
    (openjdk17Policy) => {
      expect(debianPackage({ openjdk17Policy, defaultPolicy: offers('2:1.21-76') })).toBe('default-jdk-headless');
    },
  );

  it.each(['', offers('(none)'), offers('2:1.11-72'), offers('2:1.8-68')])(
    'prepare chooses no package where both are too old',
    (policy) => {
      expect(debianPackage({ openjdk17Policy: '', defaultPolicy: policy })).toBeUndefined();
    },
  );
});
