import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/**
 * Twenty keys of one organisation, all used to their limit from one address, make 30,000 requests in five minutes. Twice that
 * is an attack on keys, and each guess costs the named organisation a refused write (ADR 0006).
 */
const requestsPerFiveMinutes = 60_000;

/** Blocks an IP address that sends more requests than any client may. Authentication handles everything else. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, api: RestApiBase) {
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
