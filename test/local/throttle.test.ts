import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createThrottle } from '../../local/cloud/api-gateway/throttle.ts';
import { startCloud } from '../../local/cloud/cloud.ts';
import type { FunctionDefinition } from '../../local/cloud/lambda/function-definition.ts';
import { inMemory } from '../support/table.ts';
import { longTest } from '../support/thorough.ts';
import { smallFunction, writeSmallAssembly } from './fixture/small-assembly.ts';

const definition: FunctionDefinition = Object.create(null);

test('the throttle of a stage admits its burst at once and then its rate', () => {
  let nowMs = 0;
  const stage = { requestsPerSecond: 10, burst: 3 };
  const { admits } = createThrottle({ stage, longestWaitMs: undefined, waitingMs: () => 0, now: () => nowMs });
  const admitted = (requests: number) =>
    Array.from({ length: requests }, () => admits(definition)).filter(Boolean).length;
  expect(admitted(5)).toBe(3);
  nowMs += 100;
  expect(admitted(5)).toBe(1);
  nowMs += 60_000;
  expect(admitted(5)).toBe(3);
});

const functionArn = { 'Fn::GetAtt': ['Fn', 'Arn'] };
const uri = ['arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/', functionArn, '/invocations'];
const api = (settings: Record<string, unknown>, ofMethods: readonly object[] = [], ofApi: object = {}) => ({
  InvokeRole: {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: {
        Statement: { Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' }, Action: 'sts:AssumeRole' },
      },
      Policies: [
        {
          PolicyName: 'p',
          PolicyDocument: {
            Statement: [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: functionArn }],
          },
        },
      ],
    },
  },
  Api: {
    Type: 'AWS::ApiGateway::RestApi',
    Properties: {
      ...ofApi,
      Body: {
        'x-amazon-apigateway-gateway-responses': {
          THROTTLED: {
            statusCode: '429',
            responseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
            responseTemplates: { 'application/json': '{"code":"throttled"}' },
          },
          DEFAULT_5XX: {
            statusCode: '503',
            responseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
            responseTemplates: { 'application/json': '{"code":"dependency_unavailable"}' },
          },
        },
        paths: {
          '/': {
            get: {
              'x-amazon-apigateway-integration': {
                type: 'aws_proxy',
                uri: { 'Fn::Join': ['', uri] },
                credentials: { 'Fn::GetAtt': ['InvokeRole', 'Arn'] },
              },
            },
          },
        },
      },
    },
  },
  Stage: {
    Type: 'AWS::ApiGateway::Stage',
    Properties: {
      StageName: 'test',
      RestApiId: { Ref: 'Api' },
      MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', ...settings }, ...ofMethods],
    },
  },
});

/** The function responds when the test releases it, so the test decides how long requests wait. */
const holdingCode = `
  const { existsSync } = require('node:fs');
  exports.handler = async ({ queryStringParameters }) => {
    while (queryStringParameters && !existsSync(queryStringParameters.until)) await new Promise((done) => setTimeout(done, 10));
    return { statusCode: 200, body: '' };
  };`;

test('the API answers 429 at once while a request waits too long for an instance, and recovers when it is served', async () => {
  const assembly = writeSmallAssembly(
    { ...smallFunction('Fn', { ReservedConcurrentExecutions: 1, Timeout: 60 }), ...api({}) },
    {},
    holdingCode,
  );
  const cloud = await startCloud({ ...assembly, port: 0, ...inMemory(), longestWaitMs: 200 });
  const get = async (query = ''): Promise<number> => {
    const response = await fetch(`${cloud.url}/${query}`);
    if (response.status === 429) {
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toEqual({ code: 'throttled' });
    }
    return response.status;
  };
  expect(await get()).toBe(200);
  const { assemblyDir } = assembly;
  const busy = get(`?until=${assemblyDir}/go`);
  const waiting = get(`?until=${assemblyDir}/go`);
  // Every further request waits, too, until the first of them has waited too long.
  const further: Promise<number>[] = [];
  await expect
    .poll(
      async () => {
        const next = get(`?until=${assemblyDir}/go`);
        further.push(next);
        return Promise.race([next, new Promise((resolve) => setTimeout(() => resolve('waits'), 100))]);
      },
      { timeout: 30_000 },
    )
    .toBe(429);
  writeFileSync(`${assemblyDir}/go`, '');
  expect([await busy, await waiting]).toEqual([200, 200]);
  expect(new Set(await Promise.all(further))).toEqual(new Set([200, 429]));
  expect(await get()).toBe(200);
  await cloud.stop();
});

test('a request whose function Lambda refuses gets the 503 of the template', async () => {
  const refused = { ...smallFunction('Fn', { ReservedConcurrentExecutions: 0 }), ...api({}) };
  const cloud = await startCloud({ ...writeSmallAssembly(refused, {}, holdingCode), port: 0, ...inMemory() });
  const response = await fetch(cloud.url);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toEqual({ code: 'dependency_unavailable' });
  await cloud.stop();
});

test('the API applies the throttle of the stage in the template', async () => {
  const settings = { ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 2 };
  const assembly = writeSmallAssembly({ ...smallFunction('Fn'), ...api(settings) }, {}, holdingCode);
  const cloud = await startCloud({ ...assembly, port: 0, ...inMemory() });
  const statuses: number[] = [];
  for (let request = 0; request < 4; request += 1) statuses.push((await fetch(cloud.url)).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  // A path without a method is not throttled, because there is nothing to protect.
  expect((await fetch(`${cloud.url}/unknown`)).status).toBe(403);
  await cloud.stop();
});

longTest('every function keeps an instance, also when more functions than cores are called in turn', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `Fn${index}`);
  const functions = names.map((name) => smallFunction(name));
  const logs: string[] = [];
  const assembly = writeSmallAssembly(
    Object.assign({}, ...functions),
    {},
    "console.log('init'); exports.handler = async () => 'ok';",
  );
  const cloud = await startCloud({ ...assembly, port: 0, ...inMemory(), onLog: ({ text }) => logs.push(text) });
  for (const name of [...names, ...names]) expect(await cloud.invoke(name, {})).toBe('ok');
  await cloud.stop();
  expect(logs.filter((text) => text === 'init')).toHaveLength(names.length);
});

test('a method has a throttle of its own, and a response of the API is compressed from its smallest size on', async () => {
  const code = "exports.handler = async () => ({ statusCode: 200, body: 'a'.repeat(2_000) });";
  const own = { HttpMethod: 'GET', ResourcePath: '/~1', ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 2 };
  const compressed = api({ ThrottlingRateLimit: 100 }, [own], { MinimumCompressionSize: 1_000 });
  const assembly = writeSmallAssembly({ ...smallFunction('Fn'), ...compressed }, {}, code);
  const cloud = await startCloud({ ...assembly, port: 0, ...inMemory() });
  const get = (encoding: string) => fetch(cloud.url, { headers: { 'Accept-Encoding': encoding } });
  const [packed, plain, refused] = [await get('gzip;q=0.5, br'), await get('gzip;q=0'), await get('gzip')];
  expect([packed.status, packed.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  expect(await packed.text()).toHaveLength(2_000);
  expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
  expect(refused.status).toBe(429);
  await cloud.stop();
});
