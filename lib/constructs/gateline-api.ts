import { RemovalPolicy, Size, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  CfnRestApi,
  EndpointType,
  IpAddressType,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { removalPolicyOf, type StageConfig } from '../stage-config.ts';
import { apiDefinition, type ServedRoute } from './api-definition.ts';
import { stageMetric } from './outcome-metric.ts';
import { tlsPolicy } from './tls-policy.ts';

/** Logs the route template, not the requested path, because the path may contain personal data. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    stage: AccessLogField.contextStage(),
    request_id: AccessLogField.contextExtendedRequestId(),
    method: AccessLogField.contextHttpMethod(),
    route: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    error: AccessLogField.contextErrorResponseType(),
    latency_ms: AccessLogField.contextResponseLatency(),
    function_ms: AccessLogField.contextIntegrationLatency(),
    bytes: AccessLogField.contextResponseLength(),
    time: AccessLogField.contextRequestTimeEpoch(),
  }),
);

/** Egress costs more than the time to compress. A smaller body can become larger. Streamed responses compress themselves. */
const minCompressionSize = Size.kibibytes(1);

/** How many requests may come at once, in seconds of the rate. */
const burstSeconds = 10;

/** The limits of single routes. All others have that of the stage. */
function throttlesOf(routes: readonly ServedRoute[]): Record<string, MethodDeploymentOptions> {
  return Object.fromEntries(
    routes.flatMap(({ method, path, requestsPerSecond: rate }) =>
      rate === undefined
        ? []
        : [[`${path}/${method}`, { throttlingRateLimit: rate, throttlingBurstLimit: rate * burstSeconds }]],
    ),
  );
}

export interface GatelineApiProps {
  readonly config: StageConfig;
  readonly routes: readonly ServedRoute[];
}

/** The REST API, with a route for each path of each operation. No route has an authorizer: each function authenticates its caller. */
export class GatelineApi extends SpecRestApi {
  /** The number of 429 responses of functions, API Gateway and the firewall together. */
  readonly tooManyRequests: Metric;
  /** 1 for a 5xx response and 0 for any other, of all requests but those of phones with Apple passes. */
  readonly failedRequests: Metric;

  constructor(scope: Construct, id: string, { config, routes }: GatelineApiProps) {
    // Metrics have the name of the API. The stage in it keeps two stages of one account apart.
    const name = `Gateline-${config.stage}`;
    // Requests to the default address would not be requests to the domain: no CDN, and another host in links.
    const hasDomain = config.domain !== undefined;
    const log = new LogGroup(scope, `${id}Log`, {
      retention: config.logRetention,
      removalPolicy: removalPolicyOf(config),
    });
    super(scope, id, {
      restApiName: name,
      apiDefinition: ApiDefinition.fromInline(apiDefinition(Stack.of(scope), name, routes)),
      endpointConfiguration: { types: [EndpointType.REGIONAL], ipAddressType: IpAddressType.DUAL_STACK },
      disableExecuteApiEndpoint: hasDomain,
      minCompressionSize,
      // The log role is an account-wide setting of API Gateway, so it must outlive the stack.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: config.stage,
        throttlingRateLimit: config.requestsPerSecond,
        throttlingBurstLimit: config.requestBurst,
        methodOptions: throttlesOf(routes),
        accessLogDestination: new LogGroupLogDestination(log),
        accessLogFormat,
      },
    });
    const resource = this.node.findChild('Resource');
    if (!(resource instanceof CfnRestApi)) throw new Error('The API has no CloudFormation resource.');
    // These settings take effect with a deployment, which is new only if something else of the API is.
    this.latestDeployment?.addToLogicalId({ hasDomain, compressedFromBytes: minCompressionSize.toBytes() });
    resource.securityPolicy = tlsPolicy.securityPolicy;
    resource.endpointAccessMode = tlsPolicy.endpointAccessMode;
    this.tooManyRequests = countTooManyRequests(log, config.stage);
    this.failedRequests = countFailedRequests(log, config.stage);
    // The stack has its own output with this address.
    this.node.tryRemoveChild('Endpoint');
    Validations.of(this).acknowledge(
      {
        id: 'AwsSolutions-APIG4',
        reason:
          'Every function authenticates its caller, except the public operations (health and OpenAPI document), and the routes that are no operations: the page of a ticket has a signed token in its address, that of the payment sandbox a secret, and what Stripe sends is signed. Authentication and the request limits are one conditional write, so an authorizer would need a second write or a cache.',
      },
      { id: 'AwsSolutions-COG4', reason: 'Callers are organisations with API keys, not users of a Cognito user pool.' },
      {
        id: 'AwsSolutions-APIG2',
        reason:
          'Every function validates path, query and body against the schemas of its operation, and returns an error that says what to change.',
      },
      {
        id: 'AwsSolutions-APIG6',
        reason:
          'Execution logs would contain API keys and personal data. Access logs, and one structured log line per request from the function, contain what operators need.',
      },
      {
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason:
          'API Gateway requires a service role to write logs. AWS maintains this managed policy for that purpose.',
      },
      ...(config.guarded
        ? []
        : [
            {
              id: 'AwsSolutions-APIG3',
              reason: 'This stage has no production data. The production stage has a web ACL.',
            },
          ]),
    );
  }
}

const isStatus = (comparison: '=' | '!=', status: string) => FilterPattern.stringValue('$.status', comparison, status);

function countTooManyRequests(log: LogGroup, stage: string): Metric {
  countInLog(log, 'TooManyRequests', { metricName: 'TooManyRequests', filterPattern: isStatus('=', '429'), value: 1 });
  return stageMetric(stage, 'TooManyRequests', 'Sum');
}

/**
 * Each request is one point, so the number of points is the number of requests. A phone that is refused asks again later, as Apple prescribes,
 * and a moved event makes thousands ask: that is no outage of the sale.
 */
function countFailedRequests(log: LogGroup, stage: string): Metric {
  const isCounted = FilterPattern.stringValue('$.route', '!=', '/v1/apple/*');
  const metricName = 'FailedRequest';
  const failed = FilterPattern.all(isCounted, isStatus('=', '5*'));
  const others = FilterPattern.all(isCounted, isStatus('!=', '5*'));
  countInLog(log, 'FailedRequest', { metricName, filterPattern: failed, value: 1 });
  countInLog(log, 'OtherRequest', { metricName, filterPattern: others, value: 0 });
  return stageMetric(stage, metricName, 'Sum');
}

interface CountedLines {
  readonly metricName: string;
  readonly filterPattern: IFilterPattern;
  readonly value: number;
}

function countInLog(accessLog: LogGroup, id: string, { metricName, filterPattern, value }: CountedLines): void {
  new MetricFilter(accessLog, id, {
    logGroup: accessLog,
    filterPattern,
    metricNamespace: 'Gateline',
    metricName,
    metricValue: String(value),
    dimensions: { stage: '$.stage' },
  });
}
