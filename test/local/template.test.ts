import { describe, expect, test } from 'vitest';
import { readAssembly } from '../../local/cloud/template/assembly.ts';
import { parseTemplate } from '../../local/cloud/template/parsed-template.ts';
import { writeSmallAssembly, writeStacks } from './fixture/small-assembly.ts';

/** A placeholder in the text of `Fn::Sub`. */
const placeholder = (name: string) => `\${${name}}`;

/** Resolves a value at a place where a template may have one. */
function resolve(value: unknown, rest: Record<string, unknown> = {}): unknown {
  const { assemblyDir } = writeSmallAssembly(
    {
      Probe: { Type: 'AWS::Logs::LogGroup', Properties: { Value: value } },
      Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'orders' } },
      Named: { Type: 'AWS::DynamoDB::Table' },
    },
    rest,
  );
  const options = { region: 'eu-west-1', sqsEndpoint: 'http://127.0.0.1:1' };
  return parseTemplate(readAssembly(assemblyDir), options).resources.get('Probe')?.properties.Value;
}

const rest = {
  Parameters: {
    Stage: { Type: 'String', Default: 'dev' },
    BootstrapVersion: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/x' },
  },
  Conditions: {
    IsDev: { 'Fn::Equals': [{ Ref: 'Stage' }, 'dev'] },
    IsProd: { 'Fn::Not': [{ Condition: 'IsDev' }] },
    Both: { 'Fn::And': [{ Condition: 'IsDev' }, { Condition: 'IsProd' }] },
    Either: { 'Fn::Or': [{ Condition: 'IsDev' }, { Condition: 'IsProd' }] },
  },
};

describe('template values', () => {
  test.each([
    [{ Ref: 'Stage' }, 'dev'],
    [{ Ref: 'AWS::Region' }, 'eu-west-1'],
    [{ Ref: 'Queue' }, 'http://127.0.0.1:1/000000000000/orders'],
    [{ Ref: 'Named' }, 'Small-Named'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:eu-west-1:000000000000:orders'],
    [{ 'Fn::GetAtt': 'Queue.QueueName' }, 'orders'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'Stage' }]] }, 'a-dev'],
    [
      { 'Fn::Sub': `${placeholder('Stage')}:${placeholder('Queue.QueueName')}:${placeholder('!Literal')}` },
      `dev:orders:${placeholder('Literal')}`,
    ],
    [
      { 'Fn::Sub': [`${placeholder('Own')}-${placeholder('AWS::AccountId')}`, { Own: { Ref: 'Stage' } }] },
      'dev-000000000000',
    ],
    [{ 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    [{ 'Fn::If': ['IsDev', { yes: true }, { no: true }] }, { yes: true }],
    [{ 'Fn::If': ['IsProd', 1, 2] }, 2],
    [{ 'Fn::If': ['Both', 1, 2] }, 2],
    [{ 'Fn::If': ['Either', 1, 2] }, 1],
    [{ kept: 1, left: { Ref: 'AWS::NoValue' } }, { kept: 1 }],
    [
      [1, { 'Fn::If': ['IsProd', 2, { Ref: 'AWS::NoValue' }] }, 3],
      [1, 3],
    ],
  ])('the template value %j is resolved', (value, expected) => {
    expect(resolve(value, rest)).toEqual(expected);
  });

  test.each([
    [{ 'Fn::If': ['Unheard', 1, 2] }, 'the condition Unheard'],
    [{ 'Fn::Select': [7, ['a']] }, 'Fn::Select of item 7'],
    [{ 'Fn::ImportValue': 'x' }, 'Fn::ImportValue, which the local cloud does not support'],
    [{ 'Fn::Sub': placeholder('Nobody') }, 'Ref to Nobody'],
  ])('the template value %j is refused, with its path', (value, message) => {
    expect(() => resolve(value, rest)).toThrow(`Unresolved reference at Resources.Probe.Properties.Value: ${message}`);
  });

  test('a template output that does not resolve is refused', () => {
    expect(() => resolve('x', { Outputs: { Url: { Value: { Ref: 'Nobody' } } } })).toThrow(
      'Unresolved reference at Outputs.Url.Value',
    );
  });
});

test('a template resource whose condition is false is omitted', () => {
  const { assemblyDir } = writeSmallAssembly({ Queue: { Type: 'AWS::SQS::Queue', Condition: 'IsProd' } }, rest);
  const options = { region: 'eu-west-1', sqsEndpoint: 'http://127.0.0.1:1' };
  expect(parseTemplate(readAssembly(assemblyDir), options).ofType('AWS::SQS::Queue')).toEqual([]);
});

describe('templates of several stacks', () => {
  const hash = (digit: string) => digit.repeat(64);
  const nestedStack = (digit: string, Parameters: Record<string, unknown> = {}) => ({
    Type: 'AWS::CloudFormation::Stack',
    Properties: { TemplateURL: { 'Fn::Sub': `https://s3/assets/${hash(digit)}.json` }, Parameters },
  });
  const probe = (value: unknown) => ({ Type: 'AWS::Logs::LogGroup', Properties: { Value: value } });
  const options = { region: 'eu-west-1', sqsEndpoint: 'http://127.0.0.1:1' };
  const parse = (...args: Parameters<typeof writeStacks>) =>
    parseTemplate(readAssembly(writeStacks(...args).assemblyDir), options);

  test('a nested stack gets its parameters from its parent, and the parent reads its outputs', () => {
    const { resources } = parse(
      {
        Service: {
          Resources: {
            Orders: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'orders' } },
            Members: nestedStack('a', { QueueArn: { 'Fn::GetAtt': ['Orders', 'Arn'] } }),
            Watch: nestedStack('b', { FunctionName: { 'Fn::GetAtt': ['Members', 'Outputs.TableName'] } }),
            Probe: { ...probe({ 'Fn::GetAtt': ['Members', 'Outputs.TableName'] }), DependsOn: ['Members', 'Orders'] },
          },
        },
      },
      {
        [hash('a')]: {
          Parameters: { QueueArn: { Type: 'String' } },
          Resources: {
            Table: { Type: 'AWS::DynamoDB::Table' },
            Probe: probe({ 'Fn::Sub': `${placeholder('QueueArn')} ${placeholder('AWS::StackName')}` }),
          },
          Outputs: { TableName: { Value: { Ref: 'Table' } } },
        },
        [hash('b')]: {
          Parameters: { FunctionName: { Type: 'String' } },
          Resources: { Probe: probe({ Ref: 'FunctionName' }) },
        },
      },
    );
    const probed = (id: string) => resources.get(id)?.properties.Value;
    expect(probed('Probe')).toBe('Service-Members-Table');
    expect(probed('Members/Probe')).toBe('arn:aws:sqs:eu-west-1:000000000000:orders Service-Members');
    expect(probed('Watch/Probe')).toBe('Service-Members-Table');
  });

  test('a stack reads the SSM parameter that another stack publishes', () => {
    const Type = 'AWS::SSM::Parameter::Value<String>';
    const { resources } = parse({
      State: {
        Resources: {
          Table: { Type: 'AWS::DynamoDB::Table' },
          TableName: { Type: 'AWS::SSM::Parameter', Properties: { Name: '/dev/table', Value: { Ref: 'Table' } } },
        },
      },
      Service: {
        Parameters: { TableName: { Type, Default: '/dev/table' } },
        Resources: { Probe: probe({ Ref: 'TableName' }) },
      },
    });
    expect(resources.get('Probe')?.properties.Value).toBe('State-Table');
  });

  test('an SSM parameter that no stack publishes, and an output that no nested stack has, are refused', () => {
    const Type = 'AWS::SSM::Parameter::Value<String>';
    const Parameters = { TableName: { Type, Default: '/dev/table' } };
    expect(() => parse({ Service: { Parameters, Resources: { Probe: probe({ Ref: 'TableName' }) } } })).toThrow(
      'Ref to TableName, which the template does not have',
    );
    expect(() =>
      parse(
        { Service: { Resources: { A: nestedStack('a'), Probe: probe({ 'Fn::GetAtt': ['A', 'Outputs.Gone'] }) } } },
        { [hash('a')]: { Resources: {} } },
      ),
    ).toThrow('attribute Outputs.Gone of A, which is unknown');
  });
});
