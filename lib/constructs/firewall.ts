import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/**
 * Twenty keys of one organisation, all used from one address to their limit, make 30,000 requests in five minutes. Twice that
 * is somebody who tries keys: each try costs the organisation that it names a refused write (ADR 0006).
 */
const requestsPerFiveMinutes = 60_000;

/** Stops an address that sends more than any client may. Everything else is the door's business. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, api: RestApi) {
    super(scope, id);
    const visibilityConfig = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
      metricName,
    });
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibilityConfig('gateline'),
      rules: [
        {
          name: 'flood-from-one-address',
          priority: 0,
          action: { block: {} },
          statement: { rateBasedStatement: { limit: requestsPerFiveMinutes, aggregateKeyType: 'IP' } },
          visibilityConfig: visibilityConfig('gateline-flood'),
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
}
