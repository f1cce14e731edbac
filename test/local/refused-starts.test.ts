import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startCloud } from '../../local/cloud/cloud.ts';
import { CloudError } from '../../local/cloud/cloud-error.ts';
import { listen } from '../../local/cloud/http/listen.ts';
import { smallFunction, writeSmallAssembly } from './fixture/small-assembly.ts';

const lambdaArn = { 'Fn::GetAtt': ['Fn', 'Arn'] };
const queue = (properties: Record<string, unknown> = {}) => ({ Type: 'AWS::SQS::Queue', Properties: properties });
const queueArn = { 'Fn::GetAtt': ['Queue', 'Arn'] };
const allow = (Action: unknown, Resource: unknown, Condition?: unknown) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...(Condition !== undefined && { Condition }),
});
const sqsActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const mapping = {
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: { EventSourceArn: queueArn, FunctionName: { Ref: 'Fn' } },
};
const trusted = (Service: string) => ({
  AssumeRolePolicyDocument: { Statement: { Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' } },
});
/** An API with one route, whose integration has these properties and a role that may do nothing. */
const api = (integration: Record<string, unknown> = {}) => ({
  InvokeRole: { Type: 'AWS::IAM::Role', Properties: trusted('apigateway.amazonaws.com') },
  Api: {
    Type: 'AWS::ApiGateway::RestApi',
    Properties: {
      Body: {
        paths: {
          '/': {
            get: {
              'x-amazon-apigateway-integration': {
                type: 'aws_proxy',
                uri: {
                  'Fn::Join': [
                    '',
                    ['arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/', lambdaArn, '/invocations'],
                  ],
                },
                credentials: { 'Fn::GetAtt': ['InvokeRole', 'Arn'] },
                ...integration,
              },
            },
          },
        },
      },
    },
  },
});
const rule = (properties: Record<string, unknown>) => ({ Type: 'AWS::Events::Rule', Properties: properties });

const refusals: [string, Record<string, unknown>, string][] = [
  [
    'an unknown resource type',
    { Bucket: { Type: 'AWS::S3::Bucket' } },
    'does not support the resource type AWS::S3::Bucket (resource Bucket)',
  ],
  [
    'an unresolved reference',
    smallFunction('Fn', { Environment: { Variables: { TABLE: { Ref: 'Missing' } } } }),
    'Unresolved reference at Resources.Fn.Properties.Environment.Variables.TABLE: Ref to Missing',
  ],
  [
    'an unresolved attribute',
    smallFunction('Fn', { Environment: { Variables: { X: { 'Fn::GetAtt': ['Fn', 'Colour'] } } } }),
    'Resources.Fn.Properties.Environment.Variables.X: attribute Colour of Fn',
  ],
  ['an unknown dependency', { Queue: { ...queue(), DependsOn: ['Nobody'] } }, 'Resources.Queue.DependsOn: Nobody'],
  [
    'a dynamic reference',
    { Queue: queue({ QueueName: '{{resolve:ssm:name}}' }) },
    'Resources.Queue.Properties.QueueName: the dynamic reference',
  ],
  [
    'a variable without value',
    smallFunction('Fn', { Environment: { Variables: { NAME: null } } }),
    'The variable NAME of function Fn has no value',
  ],
  ['missing code', smallFunction('Fn', { Code: { S3Key: 'gone.zip' } }), 'The code of function Fn is missing'],
  [
    'code that is not an asset',
    smallFunction('Fn', { Code: { ZipFile: 'x' } }),
    'The code of function Fn is not an asset',
  ],
  [
    'an unsupported condition',
    smallFunction('Fn', {}, [allow('dynamodb:*', '*', { StringEquals: { 'dynamodb:Select': 'COUNT' } })]),
    'does not support the condition StringEquals on dynamodb:Select in FnRole',
  ],
  [
    'an event source that the role may not read',
    { ...smallFunction('Fn', {}, [allow(sqsActions.slice(0, 2), queueArn)]), Queue: queue(), Mapping: mapping },
    'The function Fn is not allowed sqs:GetQueueAttributes',
  ],
  [
    'a queue whose messages return while the function still runs',
    { ...smallFunction('Fn', { Timeout: 60 }, [allow(sqsActions, queueArn)]), Queue: queue(), Mapping: mapping },
    'The visibility timeout of Queue is shorter than the timeout of function Fn',
  ],
  [
    'a route whose role may not invoke its function',
    { ...smallFunction('Fn'), ...api() },
    'The role of route GET / does not allow lambda:InvokeFunction on function Fn',
  ],
  [
    'a route whose role API Gateway cannot assume',
    { ...smallFunction('Fn'), ...api({ credentials: { 'Fn::GetAtt': ['FnRole', 'Arn'] } }) },
    'The role of route GET / does not trust apigateway.amazonaws.com',
  ],
  [
    'a route without a role',
    { ...smallFunction('Fn'), ...api({ credentials: { Ref: 'AWS::NoValue' } }) },
    'x-amazon-apigateway-integration.credentials of Api',
  ],
  [
    'a route to an unsupported integration',
    { ...smallFunction('Fn'), ...api({ type: 'http_proxy' }) },
    'only Lambda proxy and mock integrations are supported',
  ],
  [
    'a route that streams from a buffered invocation',
    { ...smallFunction('Fn'), ...api({ responseTransferMode: 'STREAM' }) },
    'The route GET / mixes a buffered with a streamed invocation',
  ],
  [
    'a rule that may not send to its queue',
    { Queue: queue(), Rule: rule({ EventPattern: { source: ['x'] }, Targets: [{ Id: 't', Arn: queueArn }] }) },
    'has no policy that allows sqs:SendMessage to events.amazonaws.com, which rule Rule needs',
  ],
  [
    'a rule with a wrong pattern',
    { Rule: rule({ EventPattern: { source: 'x' } }) },
    'The rule Rule: The event pattern is not valid: source needs a list',
  ],
  [
    'a rule that may not invoke its function',
    {
      ...smallFunction('Fn'),
      Rule: rule({ ScheduleExpression: 'rate(1 minute)', Targets: [{ Id: 't', Arn: lambdaArn }] }),
    },
    'The function Fn has no permission lambda:InvokeFunction for events.amazonaws.com',
  ],
  [
    'a schedule whose role may not invoke its function',
    {
      ...smallFunction('Fn'),
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: trusted('scheduler.amazonaws.com'),
      },
      Schedule: {
        Type: 'AWS::Scheduler::Schedule',
        Properties: {
          ScheduleExpression: 'rate(1 hour)',
          Target: { Arn: lambdaArn, RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] } },
        },
      },
    },
    'The role of schedule Schedule does not allow lambda:InvokeFunction on function Fn',
  ],
  [
    'an input transformer',
    { Rule: rule({ EventPattern: { source: ['x'] }, Targets: [{ Id: 't', Arn: 'a', InputTransformer: {} }] }) },
    'input transformers are not supported',
  ],
];

describe('the local cloud refuses to start, with one line that says why', () => {
  test.each(refusals)('the local cloud refuses %s', async (_what, resources, message) => {
    const refused = startCloud({ ...writeSmallAssembly(resources), port: 0, data: 'memory' });
    await expect(refused).rejects.toBeInstanceOf(CloudError);
    await expect(refused).rejects.toThrow(message);
  });

  test('the local cloud refuses an unknown schedule expression', async () => {
    const permission = {
      Type: 'AWS::Lambda::Permission',
      Properties: { Action: 'lambda:InvokeFunction', FunctionName: lambdaArn, Principal: 'events.amazonaws.com' },
    };
    const Rule = rule({ ScheduleExpression: 'cron(0 3 * * ? *)', Targets: [{ Id: 't', Arn: lambdaArn }] });
    const refused = startCloud({
      ...writeSmallAssembly({ ...smallFunction('Fn'), permission, Rule }),
      port: 0,
      data: 'memory',
    });
    await expect(refused).rejects.toThrow('does not support the schedule expression cron(0 3 * * ? *) of Rule');
  });

  test('the local cloud refuses a port that is taken', async () => {
    const other = createServer();
    const port = await listen(other, 0);
    await expect(startCloud({ ...writeSmallAssembly({}), port, data: 'memory' })).rejects.toThrow(
      `Port ${port} is already in use. Set PORT to another port.`,
    );
    other.close();
  });

  test('the local cloud refuses a data folder that is not writable', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'data-')), 'file');
    writeFileSync(file, '');
    await expect(startCloud({ ...writeSmallAssembly({}), port: 0, data: { folder: file } })).rejects.toThrow(
      `The data folder ${file} is not writable`,
    );
  });

  test.each([
    ['an earlier version, which wrote no format', undefined, 'an earlier version'],
    ['an earlier version', { format: 6 }, 'an earlier version'],
    ['a later version', { format: 8 }, 'a later version'],
  ])('the local cloud refuses a data folder written by %s', async (_what, format, version) => {
    const folder = mkdtempSync(join(tmpdir(), 'data of-'));
    writeFileSync(join(folder, 'shared-local-instance.db'), '');
    if (format !== undefined) writeFileSync(join(folder, 'format.json'), JSON.stringify(format));
    const start = () => startCloud({ ...writeSmallAssembly({}), port: 0, data: { folder, format: 7 } });
    const message = `The data folder ${folder} was written by ${version} of the service. Delete it and start again: rm -r '${folder}'`;
    await expect(start()).rejects.toThrow(new CloudError(message));
    // The folder is as it was: not locked, and not marked as one of this version.
    await expect(start()).rejects.toThrow(message);
    expect(existsSync(join(folder, 'in-use-by'))).toBe(false);
  });

  test('the local cloud refuses an assembly without a stack', async () => {
    const assemblyDir = mkdtempSync(join(tmpdir(), 'assembly-'));
    writeFileSync(join(assemblyDir, 'manifest.json'), '{}');
    await expect(startCloud({ assemblyDir, port: 0, data: 'memory' })).rejects.toThrow(`No stack in ${assemblyDir}`);
    rmSync(assemblyDir, { recursive: true });
  });

  test('the local cloud refuses to start without Java', async () => {
    const before = process.env.JAVA_HOME;
    process.env.JAVA_HOME = '/nowhere';
    const refused = startCloud({ ...writeSmallAssembly({}), port: 0, data: 'memory' });
    await expect(refused).rejects.toThrow(
      'requires a Java development kit (JDK) of version 17 or newer, and no java command was found',
    );
    if (before === undefined) delete process.env.JAVA_HOME;
    else process.env.JAVA_HOME = before;
  });
});
