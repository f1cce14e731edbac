import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { concurrencyPlan } from '../../lib/concurrency-plan.ts';
import { StateStack } from '../../lib/stacks/state-stack.ts';
import { stageConfig } from '../../lib/stage-config.ts';
import { stageRegion } from '../../lib/stage-region.ts';
import { formatCdn } from '../../shared/http/auth/trusted-cdn.ts';
import { operations } from '../../shared/operations/registry.ts';
import { referencesIn } from '../../tools/rehearsal/rehearsed-stack.ts';
import { ownSettings } from '../support/assemblies.ts';
import { cdnSecret, testCdn } from '../support/cdn.ts';
import { onlyHealth, withSmallStacks } from '../support/synthesize-small.ts';
import { readStack, readStacks } from '../support/template.ts';
import { longSuite } from '../support/thorough.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** TLS 1.2 or 1.3. API Gateway would accept TLS 1.0 at the address that it gives to an API. */
const tlsPolicy = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' };

/** Clients reach the API over IPv4 and IPv6. */
const dualStack = { Types: ['REGIONAL'], IpAddressType: 'dualstack' };

describe.each(['dev', 'prod'] as const)('stage %s', (stage) => {
  it('the API accepts TLS 1.2 and 1.3 only, and no queue or topic accepts a request without TLS', () => {
    const stack = readStack(stage);
    expect(stack.ofType('AWS::ApiGateway::RestApi').map(({ Properties }) => Properties)).toMatchObject([tlsPolicy]);
    for (const [type, policyType] of [
      ['AWS::SQS::Queue', 'AWS::SQS::QueuePolicy'],
      ['AWS::SNS::Topic', 'AWS::SNS::TopicPolicy'],
    ] as const) {
      const refusing = stack
        .ofType(policyType)
        .filter(({ Properties }) => JSON.stringify(Properties).includes('{"Bool":{"aws:SecureTransport":"false"}}'))
        .flatMap(({ Properties }) => referencesIn(Properties.Queues ?? Properties.Topics));
      expect(refusing.sort()).toEqual(
        stack
          .ofType(type)
          .map(({ logicalId }) => logicalId)
          .sort(),
      );
    }
  });

  it('all resources have the tags of the application and the stage, through their stacks', () => {
    const manifest = JSON.parse(readFileSync(join(readStack(stage).assemblyDir, 'manifest.json'), 'utf8'));
    const artifacts = v.parse(
      v.record(v.string(), v.looseObject({ type: v.string(), properties: v.optional(v.unknown()) })),
      manifest.artifacts,
    );
    const stacks = Object.values(artifacts).filter(({ type }) => type === 'aws:cloudformation:stack');
    expect(stacks).toHaveLength(2);
    for (const { properties } of stacks) {
      expect(properties).toMatchObject({ tags: { application: 'gateline', stage } });
    }
  });
});

describe('production stage', () => {
  const stack = readStack('prod');
  const [table] = stack.ofType('AWS::DynamoDB::GlobalTable');

  it('the production stage keeps its data: point-in-time recovery, deletion protection, a retained table', () => {
    expect(table?.DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(table?.Properties.Replicas).toMatchObject([
      { DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    ]);
  });

  it('keys, which contain e-mail addresses, are shown to nobody on the production stage', () => {
    const isShown = (stage: 'dev' | 'prod') =>
      JSON.stringify(readStack(stage).ofType('AWS::DynamoDB::GlobalTable')).match(
        /"Enabled":(true|false),"Mode":"THROTTLED_KEYS"/g,
      );
    expect(new Set(isShown('prod'))).toEqual(new Set(['"Enabled":false,"Mode":"THROTTLED_KEYS"']));
    expect(new Set(isShown('dev'))).toEqual(new Set(['"Enabled":true,"Mode":"THROTTLED_KEYS"']));
  });

  it("the production stage names every log by the stack's name", () => {
    const named = stack.ofType('AWS::Logs::LogGroup').filter(({ Properties }) => 'LogGroupName' in Properties);
    // The firewall's log needs a prefix. The stack's name follows it.
    expect(named.map(({ Properties }) => Properties.LogGroupName)).toEqual([
      { 'Fn::Join': ['', ['aws-waf-logs-', 'Gateline-prod-service']] },
    ]);
  });

  it('the production table is on demand, expires items and streams changes', () => {
    expect(table?.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
    });
  });

  it('the production stage throttles as its configuration says, and the large document of the API by itself', () => {
    const { requestsPerSecond, requestBurst } = stageConfig('prod');
    expect(stack.ofType('AWS::ApiGateway::Stage')[0]?.Properties.MethodSettings).toMatchObject([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: requestsPerSecond,
        ThrottlingBurstLimit: requestBurst,
      },
      { HttpMethod: 'GET', ResourcePath: '/~1v1~1openapi.json', ThrottlingRateLimit: 2 },
    ]);
  });

  it('the production stage releases gradually what the registry lists, and rolls back on errors', () => {
    const gradual = operations.filter(({ runtime }) => runtime.releasedGradually);
    expect(gradual.map(({ id }) => id)).toContain('create-member');
    const groups = stack.ofType('AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(gradual.length);
    for (const { Properties } of groups) {
      expect(Properties.AlarmConfiguration).toMatchObject({ Enabled: true, Alarms: { length: 2 } });
      expect(JSON.stringify(Properties.AutoRollbackConfiguration)).toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
    expect(readStack('dev').ofType('AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
  });

  it('the production stage logs access without personal data, and has a firewall', () => {
    const [stage] = stack.ofType('AWS::ApiGateway::Stage');
    const format = String(v.parse(v.looseObject({ Format: v.string() }), stage?.Properties.AccessLogSetting).Format);
    expect(format).toContain('$context.resourcePath');
    expect(format).not.toMatch(/identity|sourceIp|context\.path|querystring|authorizer/i);
    expect(stack.ofType('AWS::WAFv2::WebACLAssociation')).toHaveLength(1);
  });

  it('no stage uses X-Ray, whose traces would end at the stream of the table: the log follows a request by its id', () => {
    const [stage] = stack.ofType('AWS::ApiGateway::Stage');
    expect(stage?.Properties.TracingEnabled).not.toBe(true);
    for (const { Properties } of stack.ofType('AWS::Lambda::Function'))
      expect(Properties.TracingConfig).toBeUndefined();
    expect(JSON.stringify([...stack.resources])).not.toContain('xray:');
  });

  it('the production stage reserves concurrency for functions that a flood would affect', () => {
    const reserved = operations.filter(({ runtime }) => runtime.concurrency !== undefined);
    expect(reserved.length).toBeGreaterThan(0);
    for (const operation of reserved) {
      const { reserved: ofDay } = concurrencyPlan(stageConfig('prod'));
      const { ReservedConcurrentExecutions } = stack.functionOf(operation).Properties;
      expect(ReservedConcurrentExecutions).toBe(ofDay(operation.runtime.concurrency ?? 0));
    }
  });

  it('the production stage has one output per fact, and an address to which a path is appended without a slash', () => {
    const roots = stack.stacks.filter(({ name }) => /^Gateline-prod-(state|service)$/.test(name));
    const outputs = roots.flatMap(({ template }) => Object.entries(template.Outputs));
    const values = outputs.map(([, { Value }]) => JSON.stringify(Value));
    expect(outputs.map(([name]) => name)).toContain('ApiAddress');
    expect(new Set(values).size).toBe(values.length);
    const [, address] = outputs.find(([name]) => name === 'ApiAddress') ?? [];
    expect(address?.Value).toBe('https://api.tickets.example/');
    const ofDev = readStack('dev').stacks.flatMap(({ template }) => template.Outputs.ApiAddress?.Value ?? []);
    expect(JSON.stringify(ofDev)).toMatch(/"\/"\]\]\}\]$/);
    for (const file of ['README.md', 'docs/integrations.md', 'docs/operating.md', 'docs/runbook.md']) {
      const text = readFileSync(join(root, file), 'utf8');
      expect(text, file).not.toMatch(/ApiAddress[^\n]*[>)]\/v1/);
    }
    expect(readFileSync(join(root, 'docs/integrations.md'), 'utf8')).toMatch(/^curl .*ApiAddress.*\)v1\/health"$/m);
  });

  it('the production table and its indexes serve the throughput of the configuration at once', () => {
    const warm = stageConfig('prod').warmThroughput;
    const WarmThroughput = {
      ReadUnitsPerSecond: warm?.readUnitsPerSecond,
      WriteUnitsPerSecond: warm?.writeUnitsPerSecond,
    };
    expect(table?.Properties).toMatchObject({ WarmThroughput });
    const indexes = v.parse(v.array(v.looseObject({})), table?.Properties.GlobalSecondaryIndexes);
    expect(indexes.length).toBeGreaterThan(0);
    for (const index of indexes) expect(index).toMatchObject({ WarmThroughput });
  });

  it('the production stage sets no physical names', () => {
    const named = [...stack.resources].filter(([, { Properties }]) =>
      ['TableName', 'FunctionName', 'RoleName', 'QueueName', 'LogGroupName'].some(
        (property) => typeof Properties[property] === 'string',
      ),
    );
    expect(named.map(([id]) => id)).toEqual([]);
  });
});

it('cdk synth refuses a stage that does not exist', () => {
  expect(() => stageConfig('production')).toThrow('Unknown stage production. Stages: dev, prod.');
});

longSuite('stage with a restored table', () => {
  it('the functions, the stream consumers and the nightly backup of a stage use the restored table', () => {
    const streamArn = 'arn:aws:dynamodb:ap-southeast-2:123456789012:table/gateline-prod-2/stream/1';
    const restoredTable = { tableName: 'gateline-prod-2', streamArn };
    const config = { ...stageConfig('prod'), restoredTable };
    const stacks = withSmallStacks({ config, operations: onlyHealth }, readStacks);
    const variables = stacks
      .ofType('AWS::Lambda::Function')
      .flatMap(({ Properties }) => JSON.stringify(Properties).match(/"TABLE_NAME":[^,}]+/)?.[0] ?? []);
    expect(new Set(variables)).toEqual(new Set(['"TABLE_NAME":"gateline-prod-2"']));
    const sources = stacks.ofType('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties);
    expect(sources.filter(({ StartingPosition }) => StartingPosition !== undefined)).not.toEqual([]);
    for (const { StartingPosition, EventSourceArn } of sources) {
      if (StartingPosition !== undefined) expect(EventSourceArn).toBe(streamArn);
    }
    const [selection] = stacks.ofType('AWS::Backup::BackupSelection');
    expect(JSON.stringify(selection?.Properties)).toContain(':table/gateline-prod-2');
  });
});

describe('stage with a custom domain, signing keys and a CDN', () => {
  it('a configured stage has the records, the mapping, the alarm subscriptions, the public keys and the CDN that it trusts', () => {
    const { domain } = ownSettings;
    const changes = { ...ownSettings, signingKeys: ['old', 'new'], cdn: testCdn };
    const config = { ...stageConfig('prod'), ...changes };
    const stacks = withSmallStacks({ config, operations: onlyHealth }, readStacks);
    const only = (type: string) => stacks.ofType(type).map(({ Properties }) => Properties);
    expect(only('AWS::ApiGateway::DomainName')).toMatchObject([
      { DomainName: domain.name, EndpointConfiguration: dualStack, ...tlsPolicy },
    ]);
    expect(only('AWS::ApiGateway::RestApi')).toMatchObject([
      { DisableExecuteApiEndpoint: true, EndpointConfiguration: dualStack },
    ]);
    expect(only('AWS::ApiGateway::BasePathMapping')).toHaveLength(1);
    const record = { Name: `${domain.name}.`, HostedZoneId: domain.hostedZoneId, Weight: 100 };
    expect(only('AWS::Route53::RecordSet')).toMatchObject([
      { ...record, Type: 'A' },
      { ...record, Type: 'AAAA' },
    ]);
    expect(only('AWS::Lambda::Function')).toContainEqual(
      expect.objectContaining({
        Environment: {
          Variables: expect.objectContaining({ TOKEN_PUBLIC_KEYS: 'old,new', TRUSTED_CDN: formatCdn(testCdn) }),
        },
      }),
    );
    expect(only('AWS::Events::ApiDestination')).toMatchObject([
      { InvocationEndpoint: 'https://api.tickets.example/v1/health' },
    ]);
    expect(stacks.stacks.map(({ template }) => template.Outputs.ApiAddress?.Value)).toContain(
      'https://api.tickets.example/',
    );
    expect(stacks.stacks.map(({ template }) => template.Outputs.SigningKeys?.Value)).toContain('old,new');
    // Requests through the CDN share its addresses, so the firewall counts only the others, and its log has no secret.
    const hasSecret = { SizeConstraintStatement: { FieldToMatch: { SingleHeader: { Name: 'x-origin-secret' } } } };
    const direct = { AndStatement: { Statements: [{ NotStatement: { Statement: hasSecret } }, {}] } };
    const counted = { Statement: { RateBasedStatement: { ScopeDownStatement: direct } } };
    const judged = { Statement: { ManagedRuleGroupStatement: { ScopeDownStatement: direct } } };
    expect(only('AWS::WAFv2::WebACL')).toMatchObject([{ Rules: [counted, counted, judged] }]);
    expect(JSON.stringify(only('AWS::WAFv2::LoggingConfiguration'))).toContain('"Name":"x-origin-secret"');
    expect(JSON.stringify(stacks.stacks)).not.toContain(cdnSecret);
    expect(only('AWS::SNS::Subscription')).toMatchObject([
      { Protocol: 'email', Endpoint: 'ops@tickets.example' },
      { Protocol: 'https', Endpoint: 'https://events.pager.example/integration/1' },
      // Nobody else is named for what can wait.
      { Protocol: 'email', Endpoint: 'ops@tickets.example' },
      { Protocol: 'https', Endpoint: 'https://events.pager.example/integration/1' },
    ]);
  });
});

describe('receivers of alarms', () => {
  it('cdk synth refuses a receiver that is neither a mail address nor an https address', () => {
    const config = { ...stageConfig('dev'), alarmReceivers: ['http://pager.example'] };
    expect(() => new StateStack(new App(), 'State', { config, region: stageRegion(config, undefined) })).toThrow(
      'alarmReceivers or ticketReceivers of dev in lib/stage-config.ts contains http://pager.example, which is neither',
    );
  });
});
