import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { startGateline } from '../../local/run/start.ts';
import { exceptionFor, readExceptions } from './exceptions.ts';
import type { SchemathesisOptions } from './options.ts';
import { type Finding, readReport } from './report.ts';

const program = 'schemathesis';
const document = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

export function isInstalled(): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

interface Target {
  readonly url: string;
  readonly key: string;
  readonly ssoToken: string | undefined;
  /** The requests that the target accepts; undefined for no limit. */
  readonly rateLimit: string | undefined;
  stop(): Promise<void>;
}

const RunFile = v.looseObject({
  organisations: v.array(v.looseObject({ api_key: v.string() })),
  sso: v.looseObject({ linked_token: v.string() }),
});

/** The service on this machine with the demo data, in memory. Its clock moves ahead, so no request limit is reached. */
async function startTarget(folder: string): Promise<Target> {
  const settings = { port: 0, data: 'memory', demo: 'full', physics: 'none', localFolder: folder } as const;
  // Without schedules, nothing is sent again and again to the addresses that the requests register.
  const cloud = await startGateline(settings, { schedules: 'off', onLog: () => {} });
  const ticking = setInterval(() => cloud.clock.advance(60), 4_000);
  const { organisations, sso } = v.parse(RunFile, JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')));
  return {
    url: cloud.url,
    key: organisations[0]?.api_key ?? '',
    ssoToken: sso.linked_token,
    rateLimit: undefined,
    async stop() {
      clearInterval(ticking);
      await cloud.stop();
    },
  };
}

function givenTarget(url: string, key: string, ssoToken: string | undefined): Target {
  return { url, key, ssoToken, rateLimit: '280/m', stop: async () => {} };
}

/** Runs schemathesis with all checks. Returns true if every finding is in docs/contract-exceptions.md. */
export async function runSchemathesis(options: SchemathesisOptions): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'gateline-schemathesis-'));
  const { url, key, ssoToken } = options;
  const target = url !== undefined && key !== undefined ? givenTarget(url, key, ssoToken) : await startTarget(folder);
  try {
    const report = join(folder, 'report.ndjson');
    const status = await spawned(programArguments(target, options, report), folder);
    // 0: no finding, 1: findings. Anything else means that it did not run.
    if (status !== 0 && status !== 1) {
      console.error(`${program} ended with status ${status} before it was complete.`);
      return false;
    }
    return await judge(report);
  } finally {
    await target.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function programArguments({ url, key, ssoToken, rateLimit }: Target, options: SchemathesisOptions, report: string) {
  return [
    ...['run', document, '--url', url, '--checks', 'all', '--continue-on-failure'],
    // The last one follows the links of the document from response to request.
    ...['--phases', 'examples,coverage,fuzzing,stateful'],
    ...['--max-examples', options.examples, '--seed', options.seed, '--generation-database', 'none'],
    // A busy machine is slow, which is not a finding. A request without a response after a minute is one.
    ...['--request-timeout', '60', '--max-response-time', '60'],
    ...['--header', `Authorization: Bearer ${key}`],
    ...(ssoToken === undefined ? [] : ['--header', `X-SSO-Token: ${ssoToken}`]),
    ...(rateLimit === undefined ? [] : ['--rate-limit', rateLimit]),
    ...options.only.flatMap((id) => ['--include-operation-id', id]),
    ...['--report', 'ndjson', '--report-ndjson-path', report, '--warnings', 'off', '--no-color'],
  ];
}

/** Its own output repeats each finding; the report of this command replaces it. */
function spawned(args: readonly string[], cwd: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

async function judge(report: string): Promise<boolean> {
  const exceptions = readExceptions();
  const { requests, findings } = await readReport(report);
  const unlisted = findings.filter((finding) => exceptionFor(exceptions, finding) === undefined);
  const used = new Set(findings.map((finding) => exceptionFor(exceptions, finding)));
  for (const finding of firstOfEach(unlisted)) console.log(describe(finding));
  const unused = exceptions
    .filter((exception) => !used.has(exception))
    .map(({ operation, code }) => `${operation} ${code}`);
  if (unused.length > 0) console.log(`Exceptions that this run did not need: ${unused.join(', ')}.`);
  console.log(
    `${requests} requests, ${findings.length} findings, ${unlisted.length} of them not in docs/contract-exceptions.md.`,
  );
  return requests > 0 && unlisted.length === 0;
}

const kindOf = ({ check, operation, status, code, param }: Finding) =>
  [check, operation, status, code, param].join(' ');

function firstOfEach(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.toReversed().map((finding) => [kindOf(finding), finding])).values()].toReversed();
}

function describe(finding: Finding): string {
  return `${kindOf(finding)}\n  ${finding.message}\n  ${finding.request}\n`;
}
