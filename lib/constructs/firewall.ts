import { ArnFormat, Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { windowRules } from '../../shared/domain/auth/rate-windows.ts';
import type { TrustedCdn } from '../../shared/http/auth/trusted-cdn.ts';
import { operations } from '../../shared/operations/registry.ts';
import type { Alarms } from './alarms.ts';
import { alarmOnFirewall } from './service-alarms.ts';

/**
 * Twenty keys of one organisation, all used to their limit from one address, make 30,000 requests in five minutes. Twice that
 * is not a client of the API.
 */
const requestsPerFiveMinutes = 60_000;

/**
 * The gate devices of a stadium share one address. 80,000 people through 60 gates are 33 scans a second with bursts of ten
 * times that (ADR 0025), 99,000 in five minutes. A hundred gate tokens, all used to their limit, make three times as many.
 */
const scansPerFiveMinutes = 100 * 5 * windowRules.gate_minute.limit;

/** The log must not contain what gives access. The query may contain a fan's name or address. */
const tokenHeaders = ['authorization', 'x-sso-token', 'x-basket-token'];

interface FirewallProps {
  readonly api: RestApiBase;
  readonly alarms: Alarms;
  readonly cdn: TrustedCdn | undefined;
}

/** Blocks an IP address that sends more requests than any client may, or that AWS knows to attack others. Authentication handles everything else. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { api, alarms, cdn }: FirewallProps) {
    super(scope, id);
    const secretHeaders = [...tokenHeaders, ...(cdn === undefined ? [] : [cdn.secretHeader.toLowerCase()])];
    const metricName = `gateline-${alarms.stage}`;
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibilityConfig(metricName),
      rules: [
        rateRule('flood-from-one-address', {
          priority: 0,
          metricName: `${metricName}-flood`,
          limit: requestsPerFiveMinutes,
          scopeDownStatement: directly(cdn, { notStatement: { statement: isScan } }),
        }),
        rateRule('scan-flood-from-one-address', {
          priority: 1,
          metricName: `${metricName}-scan-flood`,
          limit: scansPerFiveMinutes,
          scopeDownStatement: directly(cdn, isScan),
        }),
        reputationRule({
          priority: 2,
          metricName: `${metricName}-reputation`,
          // A venue may share its address with somebody's bot, and its gates must open all the same.
          scopeDownStatement: directly(cdn, { notStatement: { statement: isScan } }),
        }),
      ],
      dataProtectionConfig: {
        dataProtections: [
          { field: { fieldType: 'SINGLE_HEADER', fieldKeys: secretHeaders }, action: 'SUBSTITUTION' },
          { field: { fieldType: 'QUERY_STRING' }, action: 'SUBSTITUTION' },
        ],
      },
    });
    const floods = { 'firewall-blocks': `${metricName}-flood`, 'firewall-blocks-scans': `${metricName}-scan-flood` };
    alarmOnFirewall(alarms, { webAcl: metricName, floods, region: Stack.of(this).region });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
    // WAF accepts only a log group with this prefix.
    const log = new LogGroup(this, 'Log', {
      logGroupName: `aws-waf-logs-${Aws.STACK_NAME}`,
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      // WAF refuses the ARN of the log group itself, which ends in :*.
      logDestinationConfigs: [
        Stack.of(this).formatArn({
          service: 'logs',
          resource: 'log-group',
          resourceName: log.logGroupName,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      ],
      redactedFields: [...secretHeaders.map((Name) => ({ singleHeader: { Name } })), { queryString: {} }],
      // The access log has a line for every request that was let through.
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
          },
        ],
      },
    });
  }
}

const visibilityConfig = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  // A sample would contain the headers.
  sampledRequestsEnabled: false,
  metricName,
});

interface RateRule {
  readonly priority: number;
  readonly metricName: string;
  /** Requests of one address in five minutes. */
  readonly limit: number;
  readonly scopeDownStatement: CfnWebACL.StatementProperty;
}

function rateRule(name: string, { priority, metricName, limit, scopeDownStatement }: RateRule): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: {} },
    statement: { rateBasedStatement: { limit, aggregateKeyType: 'IP', scopeDownStatement } },
    visibilityConfig: visibilityConfig(metricName),
  };
}

/**
 * Addresses that AWS knows to attack others. Its own rules decide: known attackers and scanners are blocked, addresses of floods only
 * counted. The list changes daily, and blocks somebody at any time, so no alarm counts it.
 */
function reputationRule({ priority, metricName, scopeDownStatement }: Omit<RateRule, 'limit'>): CfnWebACL.RuleProperty {
  return {
    name: 'ip-reputation',
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: 'AWSManagedRulesAmazonIpReputationList',
        scopeDownStatement,
      },
    },
    visibilityConfig: visibilityConfig(metricName),
  };
}

/**
 * Requests through the CDN have addresses of the CDN, and must not be blocked for all clients together: the CDN needs a firewall of
 * its own. Whether the secret is right is known only to the functions, so a client can avoid these rules if it knows the
 * name of the header. Functions and the throttle of the stage handle such requests.
 */
function directly(cdn: TrustedCdn | undefined, statement: CfnWebACL.StatementProperty): CfnWebACL.StatementProperty {
  if (cdn === undefined) return statement;
  const hasSecret = {
    sizeConstraintStatement: {
      fieldToMatch: { singleHeader: { Name: cdn.secretHeader.toLowerCase() } },
      comparisonOperator: 'GT',
      size: 0,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  };
  return { andStatement: { statements: [{ notStatement: { statement: hasSecret } }, statement] } };
}

/** The operations that accept gate tokens. The path has the name of the stage before it, unless the API has a domain. */
const isScan: CfnWebACL.StatementProperty = scanStatement();

function scanStatement(): CfnWebACL.StatementProperty {
  const scans = operations.filter(({ auth, method }) => auth.kind !== 'public' && auth.gates && method !== 'GET');
  const paths = scans.flatMap((operation) => operation.paths.map((path) => path.replaceAll(/\{\w+\}/g, '[^/]+')));
  const [method = '', ...others] = new Set(scans.map((operation) => operation.method));
  if (method === '' || others.length > 0) throw new Error('The scan rule of the firewall expects one HTTP method.');
  const textTransformations = [{ priority: 0, type: 'NONE' }];
  return {
    andStatement: {
      statements: [
        {
          byteMatchStatement: {
            fieldToMatch: { method: {} },
            positionalConstraint: 'EXACTLY',
            searchString: method,
            textTransformations,
          },
        },
        {
          regexMatchStatement: {
            fieldToMatch: { uriPath: {} },
            regexString: `(${paths.join('|')})/?$`,
            textTransformations,
          },
        },
      ],
    },
  };
}
