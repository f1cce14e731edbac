import { Duration, SecretValue } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  ApiDestination,
  Authorization,
  Connection,
  HttpMethod,
  type IApiDestination,
  Rule,
  Schedule,
} from 'aws-cdk-lib/aws-events';
import { ApiDestination as CallApi } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { health } from '../../shared/operations/service/health.ts';
import type { Alarms } from './alarms.ts';

/**
 * Calls the public address of the API every minute, as a client would: through DNS, TLS, firewall and API Gateway, to a function
 * that reads the table. EventBridge makes the call, so the alarm does not depend on any function of this service.
 */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { address, alarms }: { address: string; alarms: Alarms }) {
    super(scope, id);
    const { stage } = alarms;
    const connection = new Connection(this, 'Connection', {
      description: `The canary of Gateline (${stage}). The operation needs no key.`,
      // EventBridge requires a header for authorization. This one is not a secret: it marks the requests of the canary.
      authorization: Authorization.apiKey('X-Gateline-Canary', SecretValue.unsafePlainText(stage)),
    });
    const destination = new ApiDestination(this, 'Health', {
      connection,
      // The address ends in a slash, and so the path must not begin with one.
      endpoint: `${address}${health.paths[0].slice(1)}`,
      httpMethod: HttpMethod.GET,
      rateLimitPerSecond: 1,
    });
    const { ruleName } = new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next call is the retry. A call that succeeds later would hide the failure.
      // The assertion: the CDK's types of the two do not agree on whether a property may be undefined.
      targets: [new CallApi(destination as IApiDestination, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    alarms.raise('canary', {
      metric: new Metric({
        namespace: 'AWS/Events',
        metricName: 'SuccessfulInvocationAttempts',
        dimensionsMap: { RuleName: ruleName },
        statistic: 'Sum',
        period: Duration.minutes(1),
      }),
      below: true,
      threshold: 1,
      // The metric may arrive two minutes late, and a missing point counts as a failure.
      evaluation: { datapoints: 4, outOf: 5 },
      description:
        'The canary could not call GET /v1/health for four of five minutes. The API may be unreachable for everybody. Call the address yourself, then check the other alarms, DNS, the certificate and AWS Health.',
      section: 'the-canary-fails',
    });
  }
}
