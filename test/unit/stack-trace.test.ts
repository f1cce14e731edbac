import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Bundles } from '../../lib/bundle.ts';
import { sourceMapsFile, writeSourceMaps } from '../../lib/source-maps.ts';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';
import { decodeStack } from '../../tools/stack-trace/run.ts';
import { printedLines } from '../support/printed-lines.ts';
import { bundleThrowingHandler, callThrowingHandler, throwingLine } from '../support/throwing-handler.ts';

const root = mkdtempSync(join(tmpdir(), 'gateline-stack-'));
const assembly = join(root, '.local/assembly-1');
let bundles: Bundles;
let entry: string;

beforeAll(async () => {
  bundles = bundleThrowingHandler(join(root, 'functions'));
  mkdirSync(assembly, { recursive: true });
  writeSourceMaps(bundles, assembly);
  vi.stubEnv('RELEASE', bundles.release);
  const [line] = await printedLines(() => callThrowingHandler(bundles));
  entry = JSON.stringify(line);
  vi.unstubAllEnvs();
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function decode(input: string, argv: readonly string[], folder = root) {
  const printed: string[] = [];
  const errors: string[] = [];
  const exitCode = await decodeStack(argv, {
    root: folder,
    stdin: Readable.from([input]),
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
  });
  return { exitCode, printed, errors: errors.join('\n') };
}

const place = (line: number) =>
  expect.stringMatching(new RegExp(`^ {4}at .*functions/api/probe/charge-card\\.ts:${line}:\\d+\\)?$`));

describe('bundles and their source maps', () => {
  it('a bundle contains one minified file without a source map, named like its handler', () => {
    const { folder, handler, file } = bundles.codeOf('api/probe/charge-card');
    expect(readdirSync(folder)).toEqual(['charge-card.js']);
    expect(handler).toBe('charge-card.handler');
    const code = readFileSync(file, 'utf8');
    expect(code).not.toContain('sourceMappingURL');
    expect(code).not.toContain('chargeTheCard');
  });

  it('the release depends on the code and not on the folder that it was built in', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'gateline-elsewhere-'));
    expect(bundleThrowingHandler(elsewhere).release).toBe(bundles.release);
    rmSync(elsewhere, { recursive: true });
    expect(bundles.release).toMatch(/^[0-9a-f]{12}$/);
  });
});

describe('npm run stack', () => {
  it('stack decodes a log line of the local run: the place of the throw and of its caller', async () => {
    for (const input of [entry, `Gateline-dev-chargecard: ${entry}`]) {
      const { exitCode, printed, errors } = await decode(input, ['local']);
      expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
      expect(printed.slice(0, 3)).toEqual([
        'request failed: Fault: The amount -5 is negative.',
        place(throwingLine),
        place(throwingLine + 5),
      ]);
    }
  });

  it('stack decodes a bare stack trace and an error of the Lambda runtime', async () => {
    const error = callThrowingHandler(bundles);
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const bare = await decode(stack, [bundles.release]);
    expect(bare.printed.slice(1, 3)).toEqual([place(throwingLine), place(throwingLine + 5)]);
    const ofRuntime = JSON.stringify({ errorType: 'Fault', errorMessage: 'No', stack: stack.split('\n') });
    const runtime = await decode(`2026-11-14T12:00:00Z\tid\tERROR\tInvoke Error\t${ofRuntime}`, [bundles.release]);
    expect(runtime.printed).toEqual(expect.arrayContaining(['Fault: No', place(throwingLine)]));
  });

  it('stack says that a line belongs to another release, that there is no stack trace, or what a release is', async () => {
    const other = JSON.stringify({ ...JSON.parse(entry), release: '0123456789ab' });
    expect((await decode(other, [bundles.release])).errors).toContain('This line is of the release 0123456789ab');
    expect(await decode(other, ['local'])).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('0123456789ab'),
    });
    expect(await decode('nothing', ['local'])).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('no stack'),
    });
    expect(await decode(entry, ['v1.2'])).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('is not a release'),
    });
    expect(await decode(entry, [])).toMatchObject({ exitCode: 2, errors: expect.stringContaining('npm run stack') });
    expect(await decode('', ['local', 'missing.log'])).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('missing.log'),
    });
    const file = join(root, 'line.log');
    writeFileSync(file, entry);
    expect((await decode('', ['local', file])).exitCode).toBe(0);
  });
});

describe('npm run stack with a deployed release', () => {
  const bucket = 'cdk-hnb659fds-assets-111122223333-eu-west-1';
  let server: Server;
  let port = 0;
  const requested: string[] = [];

  beforeAll(async () => {
    const archive = readFileSync(join(assembly, sourceMapsFile(bundles.release)));
    server = createServer((request, response) => {
      requested.push(`${request.method} ${request.url?.split('?')[0]}`);
      if (request.method === 'POST') {
        const id = 'arn:aws:cloudformation:eu-west-1:111122223333:stack/Gateline-prod-service/1';
        response.end(
          `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackId>${id}</StackId><StackName>s</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-14T12:00:00Z</CreationTime></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
        );
      } else if (request.url?.startsWith(`/${bucket}/${sourceMapsFile(bundles.release)}`)) response.end(archive);
      else response.writeHead(404).end('<Error><Code>NoSuchKey</Code><Message>No</Message></Error>');
    });
    port = await listen(server, 0);
  });
  afterAll(() => closeServer(server));

  it('stack reads the source maps of the release from the bucket of the assets', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    const empty = join(root, 'empty');
    mkdirSync(empty);
    const { printed } = await decode(entry, [bundles.release, '--stage', 'prod'], empty);
    expect(printed[1]).toEqual(place(throwingLine));
    expect(requested).toEqual(['POST /', `GET /${bucket}/${sourceMapsFile(bundles.release)}`]);
    const unknown = await decode(entry, ['0123456789ab'], empty);
    expect(unknown).toMatchObject({ exitCode: 1, errors: expect.stringContaining('was not deployed to prod') });
  });
});
