import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../local/cloud/http/listen.ts';
import type { Programs } from './programs.ts';

export interface Emulator {
  readonly pid: number;
  readonly port: number;
  /** The certificate that clients have to trust. */
  readonly certificate: string;
  /** The environment of programs that use the emulator in place of AWS. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const launcher = fileURLToPath(new URL('ministack_launcher.py', import.meta.url));
export const region = 'ap-southeast-2';
export const account = '000000000000';

/** Starts the emulator with TLS, without which the policy of the CDK's bucket refuses uploads, and with IAM enforced. */
export async function startEmulator(programs: Programs, python: string): Promise<Emulator> {
  const { folder } = programs;
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await programs.run({
    name: 'certificate',
    command: 'openssl',
    args: [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,DNS:*.execute-api.localhost,IP:127.0.0.1'],
    ],
    cwd: folder,
    env: process.env,
  });
  const port = await freePort();
  // Functions run on the Node of this process, which is the one of the deployed runtime.
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const child = programs.start({
    name: 'ministack',
    command: python,
    args: [launcher],
    cwd: folder,
    env: {
      ...withoutAws(process.env),
      PATH,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      AUTH: 'true',
      USE_SSL: '1',
      MINISTACK_SSL_CERT: certificate,
      MINISTACK_SSL_KEY: key,
      NODE_EXTRA_CA_CERTS: certificate,
      AWS_CA_BUNDLE: certificate,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      STATE_DIR: join(folder, 'state'),
      S3_DATA_DIR: join(folder, 's3'),
    },
  });
  await untilHealthy(port, certificate, () => child.exitCode === null);
  return { pid: child.pid ?? 0, port, certificate, env: clientEnvironment({ PATH, port, certificate, folder }) };
}

function clientEnvironment({
  PATH,
  port,
  certificate,
  folder,
}: Record<'PATH' | 'certificate' | 'folder', string> & { port: number }): Emulator['env'] {
  const endpoint = `https://127.0.0.1:${port}`;
  return {
    ...withoutAws(process.env),
    PATH,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_EC2_METADATA_DISABLED: 'true',
    // The CDK reads the first, the SDK of Node the second.
    AWS_CA_BUNDLE: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
    // The CDK remembers the account of an access key. This one must not meet the real ones.
    CDK_HOME: join(folder, 'cdk-home'),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
}

/** Without the operator's own credentials and profile: nothing of a run may reach AWS. */
function withoutAws(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(AWS|CDK)_/.test(name)));
}

async function untilHealthy(port: number, certificate: string, isRunning: () => boolean): Promise<void> {
  const ca = readFileSync(certificate);
  for (let second = 0; second < 180; second += 1) {
    if (!isRunning()) throw new Error('The emulator has ended: see ministack.log.');
    if (await isHealthy(port, ca)) return;
    await sleep(1_000);
  }
  throw new Error('The emulator did not start within three minutes: see ministack.log.');
}

function isHealthy(port: number, ca: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, ca, path: '/_ministack/health' }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.on('error', () => resolve(false));
    call.end();
  });
}
