import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { approvalsIn } from '../../admin/agents/approvals.ts';
import { approve } from '../../admin/agents/approve.ts';
import { writeLocalConnection } from '../../local/run/connection-file.ts';
import { tokenStart } from '../../shared/http/auth/signed-token.ts';

const localFolder = mkdtempSync(join(tmpdir(), 'approvals-'));
const keys: unknown[] = [];
let answers: readonly boolean[] = [];
let url = '';

/** A stage whose answer to a call can be lost. */
const stage = createServer(({ headers, socket }, response) => {
  keys.push(headers['idempotency-key']);
  const [isAnswered = true, ...rest] = answers;
  answers = rest;
  if (isAnswered) response.end('{}');
  else socket.destroy();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => stage.listen(0, '127.0.0.1', resolve));
  const address = stage.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  writeLocalConnection(join(localFolder, 'admin.json'), {
    region: 'local',
    table: 'table',
    endpoint: url,
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    signingKey: 'key',
    variables: {},
  });
  writeFileSync(join(localFolder, 'run.json'), JSON.stringify({ url, pid: 1 }));
});
afterAll(() => {
  stage.close();
  rmSync(localFolder, { recursive: true });
});

const proposed = () =>
  approvalsIn(localFolder, () => 0).propose({
    operation_id: 'refund-order',
    arguments: { order_id: '64' },
    preview: null,
    stage: 'local',
    run: `${url} 1`,
    org_id: 'org_a',
  }).approval_id;

const approved = (id: string) =>
  approve([id], {
    localFolder,
    nowMs: () => 0,
    print: () => {},
    printError: () => {},
    askSecret: async () => `${tokenStart('test', 'org_a', '')}secret`,
  });

it('an approval has an idempotency key of its own: the same after a lost answer, another for the same call proposed again', async () => {
  const [one, other] = [proposed(), proposed()];
  answers = [false];
  expect([await approved(one), await approved(one), await approved(one), await approved(other)]).toEqual([1, 0, 1, 0]);
  expect(keys).toEqual([one, one, other]);
  expect(one).not.toBe(other);
});
