import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeServer, listen } from '../../local/cloud/http/listen.ts';
import { warmCall } from '../../shared/platform/warm-call.ts';
import { warmFunctions, warmRelease } from '../../shared/workers/warm-functions.ts';
import { type OperatorAws, startOperatorAws } from '../support/operator-aws.ts';

const prefix = 'Gateline-prod-service-';
let aws: OperatorAws;
let client: LambdaClient;

beforeAll(async () => {
  aws = await startOperatorAws();
  aws.stubEnvironment();
  client = new LambdaClient({ maxAttempts: 1 });
});
beforeEach(() => {
  aws.functions.clear();
  aws.invocations.length = 0;
  for (const name of [`${prefix}open-basket`, `${prefix}ticket-page`, `${prefix}sweep-baskets`, 'another-service'])
    aws.functions.set(name, { reserved: 0, tags: new Map() });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  client.destroy();
  await aws.stop();
});

const targets = () => aws.invocations.map(({ target }) => target).toSorted();

describe('warm-functions', () => {
  it('calls the alias of every function of the stage that answers requests, and of no other', async () => {
    await warmFunctions(client, prefix);
    expect(targets()).toEqual([`${prefix}open-basket:live`, `${prefix}ticket-page:live`]);
    for (const { payload } of aws.invocations) expect(JSON.parse(payload)).toEqual(warmCall);
  });

  it('takes a function that Lambda refuses for a busy one, and fails after a function that fails', async () => {
    aws.functions.set(`${prefix}open-basket`, { reserved: 0, tags: new Map(), fails: 'refused' });
    await warmFunctions(client, prefix);
    aws.functions.set(`${prefix}open-basket`, { reserved: 0, tags: new Map(), fails: 'error' });
    await expect(warmFunctions(client, prefix)).rejects.toThrow('1 functions could not be kept warm');
    expect(targets().filter((target) => target === `${prefix}ticket-page:live`)).toHaveLength(2);
  });

  it('starts the versions of a release, and never stops one: CloudFormation gets a success also after a failure', async () => {
    const answers: unknown[] = [];
    const server = createServer(async (request, response) => {
      answers.push(JSON.parse(await text(request)));
      response.end();
    });
    const event = {
      ResponseURL: `http://127.0.0.1:${await listen(server, 0)}/`,
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: 'Warmed',
      ResourceProperties: { Versions: ['arn:aws:lambda:eu-west-1:123456789012:function:open-basket:7'] },
    };
    aws.functions.set('arn:aws:lambda:eu-west-1:123456789012:function:open-basket:7', {
      reserved: 0,
      tags: new Map(),
      fails: 'error',
    });
    await warmRelease(client, { ...event, RequestType: 'Update' });
    await warmRelease(client, { ...event, RequestType: 'Delete' });
    await closeServer(server);
    expect(targets()).toEqual(['arn:aws:lambda:eu-west-1:123456789012:function:open-basket:7']);
    const success = { Status: 'SUCCESS', StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Warmed' };
    expect(answers).toEqual([expect.objectContaining(success), expect.objectContaining(success)]);
  });
});
