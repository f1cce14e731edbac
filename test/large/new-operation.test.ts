import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../shared/operations/registry.ts';
import { tags } from '../../shared/operations/tags.ts';
import { formatAndDescribe } from '../../tools/new-operation/format.ts';
import { readRequest } from '../../tools/new-operation/request.ts';
import { writeOperation } from '../../tools/new-operation/write.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const notCopied = ['.git', '.local', 'cdk.out', 'node_modules'];

/** One of each kind. The first is written by the command itself, the others by the functions behind it. */
const [first, ...others] = [
  'gadgets retrieve-gadget GET /v1/gadgets/{gadget_id}',
  'gadgets list-gadgets GET /v1/gadgets',
  'gadgets create-gadget POST /v1/gadgets',
  'gadgets update-gadget PATCH /v1/gadgets/{gadget_id}',
  'gadgets replace-gadget PUT /v1/gadgets/{gadget_id}',
  'gadgets delete-gadget DELETE /v1/gadgets/{gadget_id}',
].map((line) => line.split(' '));

/** Its handler throws until it is written, so only the checks of the code apply to it. */
const unwritten = 'members suspend-member POST /v1/members/{membership_member_id}/suspend --uses member'.split(' ');

// Generous on purpose: this limit only ends a hang.
const timeout = 600_000;

let copy: string;
let written: readonly string[];

function run(...args: readonly string[]) {
  // The tests that run in the copy are not a worker of this run.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const variables = { NO_COLOR: '1', TEST_OPERATIONS: 'gadget' };
  const options = { cwd: copy, encoding: 'utf8', env: { ...env, ...variables } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, output: stdout + stderr };
}

beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'gateline-new-operation-')));
  for (const name of readdirSync(root).filter((entry) => !notCopied.includes(entry))) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const { status, output } = run('--import', 'tsx', 'tools/new-operation.ts', ...(first ?? []));
  expect(status, output).toBe(0);
  const known = { operations, tags: [...Object.keys(tags), 'gadgets'] };
  const files = [...others, unwritten].flatMap((args) => {
    const request = readRequest(args, operations);
    if ('refusal' in request) throw new Error(request.refusal);
    const operation = writeOperation(copy, request, known);
    if ('refusal' in operation) throw new Error(operation.refusal);
    return operation.files;
  });
  written = [...new Set(files)];
  formatAndDescribe(copy, written);
}, timeout);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('new-operation writes code that passes unchanged', () => {
  it('the type check', { timeout }, () => {
    const folders = [
      'shared/operations',
      'functions/api/gadgets',
      'functions/api/members',
      'test/data/gadgets',
      'test/data/members/suspend-member.test.ts',
      'test/support/global-setup.ts',
    ];
    // Only what was written and what it imports: `npm run typecheck` checks the whole project.
    const project = { extends: '../tsconfig.json', include: folders.map((folder) => `../${folder}`) };
    mkdirSync(join(copy, '.local'), { recursive: true });
    writeFileSync(join(copy, '.local/tsconfig.json'), JSON.stringify(project));
    expect(run('node_modules/typescript/bin/tsc', '-p', '.local')).toEqual({ status: 0, output: '' });
  });

  it('the linter, and leaves nothing unused', { timeout }, () => {
    const { status, output } = run('node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', ...written);
    expect(status, output).toBe(0);
    // What others leave unused is found by `npm run lint`. Knip ends with 2 when it could not look.
    const unused = run('node_modules/knip/bin/knip.js');
    expect([0, 1], unused.output).toContain(unused.status);
    expect(unused.output).not.toMatch(/gadget/i);
  });

  it('the contract tests and the first tests of its operations', { timeout }, () => {
    const tests = ['test/contract/operations.test.ts', 'test/data/gadgets'];
    const { status, output } = run('node_modules/vitest/vitest.mjs', 'run', ...tests, '-t', 'gadget');
    expect(status, output).toBe(0);
    for (const [, id] of [first ?? [], ...others]) expect(output).toContain(`${id}`);
  });
});

describe('new-operation', () => {
  it('adds the operation to the registry after the others of its resource, and a tag for a new resource', () => {
    const registry = readFileSync(join(copy, 'shared/operations/registry.ts'), 'utf8');
    expect(registry).toMatch(/retrieveGadget,\n/);
    expect(readFileSync(join(copy, 'shared/operations/tags.ts'), 'utf8')).toContain("gadgets: 'Gadgets of");
    expect(readFileSync(join(copy, 'docs/openapi.json'), 'utf8')).toContain('"operationId": "delete-gadget"');
  });

  it('refuses an operation that exists, in one sentence and without a change', () => {
    const { status, output } = run('--import', 'tsx', 'tools/new-operation.ts', ...(first ?? []));
    expect(status).toBe(1);
    expect(output).toBe('The operation retrieve-gadget exists: shared/operations/gadgets/retrieve-gadget.ts.\n');
  });
});
