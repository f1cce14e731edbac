import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Alias, IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Operation } from '../../shared/operations/operation.ts';
import type { StageConfig } from '../stage-config.ts';
import { addGatewayResponses } from './gateway-responses.ts';

/** As long as a streaming function may run: API Gateway's own 29 seconds are for answers in one piece. */
const streamTimeout = Duration.minutes(5);

/** The route as it stands in the registry, not the address that was asked for: that may hold a fan's data. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
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

/** The REST API: a route per path of each operation. Keys are the door's business, so no route has an authorizer. */
export class GatelineApi extends RestApi {
  constructor(scope: Construct, id: string, config: StageConfig) {
    const log = new LogGroup(scope, `${id}Log`, {
      retention: config.logRetention,
      removalPolicy: config.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    super(scope, id, {
      description: `Gateline (${config.stage})`,
      endpointTypes: [EndpointType.REGIONAL],
      // API Gateway writes no log before the account names a role for it, once for all APIs in it: so it outlives the stack.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: config.stage,
        throttlingRateLimit: config.requestsPerSecond,
        throttlingBurstLimit: config.requestBurst,
        tracingEnabled: true,
        accessLogDestination: new LogGroupLogDestination(log),
        accessLogFormat,
      },
    });
    addGatewayResponses(this);
    Validations.of(this).acknowledge(
      { id: 'AwsSolutions-APIG4', reason: 'The door, the first room of every function, checks the API key.' },
      { id: 'AwsSolutions-COG4', reason: 'Callers are organisations with API keys, not users of a pool.' },
      {
        id: 'AwsSolutions-APIG2',
        reason: 'The cloakroom validates with the schemas of the registry, and says what to change.',
      },
      {
        id: 'AwsSolutions-APIG6',
        reason:
          'Execution logs would hold keys and fans’ data. Access logs and each function’s own line say what is needed.',
      },
      {
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason: 'The role by which API Gateway writes logs is the one that AWS keeps for that.',
      },
      ...(config.guarded ? [] : [{ id: 'AwsSolutions-APIG3', reason: 'Only a guarded stage pays for a firewall.' }]),
    );
  }

  serve(operation: Operation, handler: LambdaFunction | Alias): void {
    if (!isFunction(handler)) throw new Error(`${operation.id} is served by something that is no function.`);
    for (const path of operation.paths) {
      const integration = new LambdaIntegration(handler, {
        allowTestInvoke: false,
        ...(operation.output.streamed && { responseTransferMode: ResponseTransferMode.STREAM, timeout: streamTimeout }),
      });
      this.root.resourceForPath(path).addMethod(operation.method, integration);
    }
  }
}

/** CDK's own classes do not fit its own interface under exact optional properties. */
function isFunction(construct: Construct): construct is Construct & IFunction {
  return 'functionArn' in construct;
}
