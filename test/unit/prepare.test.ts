import { describe, expect, it } from 'vitest';
import {
  debianPackage,
  installStamp,
  isStale,
  javaAdvice,
  javaMajor,
  javaMessage,
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

/** The first lines that the programs really print. */
const printed: readonly (readonly [vendor: string, major: number | undefined, text: string])[] = [
  ['Oracle 8', 8, 'java version "1.8.0_391"\nJava(TM) SE Runtime Environment (build 1.8.0_391-b13)'],
  ['Temurin 8', 8, 'openjdk version "1.8.0_392"\nOpenJDK Runtime Environment (Temurin)(build 1.8.0_392-b08)'],
  [
    'Semeru 11',
    11,
    'openjdk version "11.0.21" 2023-10-17\nIBM Semeru Runtime Open Edition (build 11.0.21+9)\nEclipse OpenJ9 VM (build openj9-0.41.0)',
  ],
  [
    'Debian 17',
    17,
    'openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment (build 17.0.15+6-Debian-1deb12u1)',
  ],
  ['Corretto 17', 17, 'openjdk version "17.0.9" 2023-10-17 LTS\nOpenJDK Runtime Environment Corretto-17.0.9.8.1'],
  ['Zulu 21', 21, 'openjdk version "21.0.1" 2023-10-17 LTS\nOpenJDK Runtime Environment Zulu21.30+15-CA'],
  ['GraalVM 21', 21, 'java version "21.0.1" 2023-10-17\nJava(TM) SE Runtime Environment Oracle GraalVM 21.0.1+12.1'],
  ['a first release, without a minor version', 25, 'openjdk version "25" 2025-09-16\nOpenJDK Runtime Environment'],
  ['an early-access build', 25, 'openjdk version "25-ea" 2025-09-16\nOpenJDK Runtime Environment (build 25-ea+3)'],
  [
    'a Java with options in the environment',
    17,
    'Picked up JAVA_TOOL_OPTIONS: -Dapp.version="8"\nopenjdk version "17.0.15" 2025-04-15',
  ],
  [
    'the placeholder on macOS',
    undefined,
    'The operation couldn’t be completed. Unable to locate a Java Runtime.\nPlease visit http://www.java.com for information on installing Java.',
  ],
  ['no program at all', undefined, '\n'],
];

it.each(printed)('prepare reads the version that %s prints', (_, major, text) => {
  expect(javaMajor(text)).toBe(major);
});

describe('prepare: advice when Java is missing', () => {
  const debian = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n';
  const ubuntu = 'NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n';
  const mint = 'NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n';

  it.each([debian, ubuntu, mint])('prepare installs Java as root on Debian and its derivatives', (osRelease) => {
    expect(javaAdvice({ platform: 'linux', osRelease, isRoot: true })).toEqual({ kind: 'install' });
  });

  it.each([
    ['linux', debian, false, 'sudo apt-get install -y openjdk-17-jre-headless'],
    ['linux', ubuntu, false, 'sudo apt-get install -y openjdk-17-jre-headless'],
    ['linux', 'ID=fedora\nVERSION_ID=42\n', false, 'sudo dnf install -y java-21-openjdk-headless'],
    ['linux', 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', true, 'dnf install -y java-21-openjdk-headless'],
    ['linux', 'ID=arch\n', false, 'sudo pacman -S --noconfirm jre17-openjdk-headless'],
    ['linux', 'ID=alpine\n', true, 'apk add openjdk17-jre-headless'],
    [
      'linux',
      'ID="opensuse-leap"\nID_LIKE="suse opensuse"\n',
      false,
      'sudo zypper install -y java-17-openjdk-headless',
    ],
    ['darwin', '', false, 'brew install --cask temurin@17'],
    ['win32', '', false, 'winget install --exact --id EclipseAdoptium.Temurin.17.JRE'],
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
      'openjdk-17-jre-headless',
    );
  });

  it.each(['', offers('(none)')])(
    'prepare chooses the default Java where it is newer and there is no 17',
    (openjdk17Policy) => {
      expect(debianPackage({ openjdk17Policy, defaultPolicy: offers('2:1.21-76') })).toBe('default-jre-headless');
    },
  );

  it.each(['', offers('(none)'), offers('2:1.11-72'), offers('2:1.8-68')])(
    'prepare chooses no package where both are too old',
    (policy) => {
      expect(debianPackage({ openjdk17Policy: '', defaultPolicy: policy })).toBeUndefined();
    },
  );
});
