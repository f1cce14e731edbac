import { Duration } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, ResponseTransferMode, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Operation } from '../../shared/operations/operation.ts';
import type { StageConfig } from '../stage-config.ts';
import { addGatewayResponses } from './gateway-responses.ts';

/** As long as a streaming function may run: API Gateway's own 29 seconds are for answers in one piece. */
const streamTimeout = Duration.minutes(5);

/** The REST API: a route per path of each operation. Keys are the door's business, so no route has an authorizer. */
export class GatelineApi extends RestApi {
  constructor(scope: Construct, id: string, config: StageConfig) {
    super(scope, id, {
      description: `Gateline (${config.stage})`,
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: {
        stageName: config.stage,
        throttlingRateLimit: config.requestsPerSecond,
        throttlingBurstLimit: config.requestBurst,
      },
    });
    addGatewayResponses(this);
  }

  serve(operation: Operation, lambda: LambdaFunction): void {
    for (const path of operation.paths) {
      const integration = new LambdaIntegration(lambda, {
        allowTestInvoke: false,
        ...(operation.streamed && { responseTransferMode: ResponseTransferMode.STREAM, timeout: streamTimeout }),
      });
      this.root.resourceForPath(path).addMethod(operation.method, integration);
    }
  }
}
