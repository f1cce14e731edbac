import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { SourceMaps } from '../../lib/source-maps.ts';
import { stageNames } from '../../lib/stage-config.ts';
import { decodeLines, type FoundTrace, findTraces } from './decode.ts';
import { deployedSourceMaps, localRelease, localSourceMaps, SourceMapsMissing } from './find-source-maps.ts';

const usage = `npm run stack -- <release> [file] [--stage ${stageNames.join('|')}]
npm run stack -- local [file]

Decodes the stack traces in log lines. Without a file, it reads them from stdin.
<release>  the field release of the log line
--stage    where the release was deployed (default: prod), if it was not synthesized on this machine
local      the local run (npm start)`;

interface Surroundings {
  /** The folder of the project. */
  readonly root: string;
  readonly stdin: NodeJS.ReadableStream;
  print(line: string): void;
  printError(line: string): void;
}

/** Decodes stack traces. Returns the exit code. */
export async function decodeStack(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { stage: { type: 'string', default: 'prod' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [wanted, file = '-', ...rest] = positionals;
  const stage = stageNames.find((name) => name === values.stage);
  if (values.help || wanted === undefined || rest.length > 0 || stage === undefined) {
    surroundings.printError(usage);
    return values.help ? 0 : 2;
  }
  if (wanted !== 'local' && !/^[0-9a-f]{12}$/.test(wanted)) {
    surroundings.printError(
      `${wanted} is not a release. A release is the field release of a log line: 12 hexadecimal digits.`,
    );
    return 2;
  }
  try {
    const input = file === '-' ? await text(surroundings.stdin) : readFileSync(file, 'utf8');
    const traces = findTraces(input);
    if (traces.length === 0) {
      surroundings.printError('The input contains no stack trace.');
      return 1;
    }
    const maps = new ReleaseMaps({ wanted, stage, root: surroundings.root });
    for (const trace of traces) await printTrace(trace, maps, surroundings);
    return 0;
  } catch (error) {
    if (!(error instanceof SourceMapsMissing) && !isMissingFile(error)) throw error;
    surroundings.printError(error.message);
    return 1;
  }
}

interface Request {
  /** A release or `local`. */
  readonly wanted: string;
  readonly stage: string;
  readonly root: string;
}

/** Reads the source maps of each release once. */
class ReleaseMaps {
  readonly #request: Request;
  readonly #read = new Map<string, SourceMaps>();

  constructor(request: Request) {
    this.#request = request;
  }

  releaseOf(trace: FoundTrace): string {
    const { wanted, root } = this.#request;
    return wanted === 'local' ? (trace.release ?? localRelease(root)) : wanted;
  }

  async of(release: string): Promise<SourceMaps> {
    const { wanted, stage, root } = this.#request;
    const known = this.#read.get(release) ?? localSourceMaps(root, release);
    if (known === undefined && wanted === 'local')
      throw new SourceMapsMissing(`No local run of the last week had the release ${release}.`);
    const maps = known ?? (await deployedSourceMaps(release, { stage }));
    this.#read.set(release, maps);
    return maps;
  }
}

async function printTrace(trace: FoundTrace, maps: ReleaseMaps, { print, printError }: Surroundings): Promise<void> {
  const release = maps.releaseOf(trace);
  if (trace.release !== undefined && trace.release !== release)
    printError(`This line is of the release ${trace.release}, not of ${release}: its positions are wrong here.`);
  const decoded = decodeLines(trace.lines, await maps.of(release));
  if (trace.title !== undefined) print(trace.title);
  for (const line of decoded) print(line);
}

function isMissingFile(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
