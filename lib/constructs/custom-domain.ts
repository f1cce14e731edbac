import { EndpointType, type RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { DomainConfig } from '../stage-config.ts';
import { tlsPolicy } from './tls-policy.ts';

/** A custom domain for the API. Zone and certificate are configured by id, because a look-up during synthesis would need credentials. */
export class CustomDomain extends Construct {
  constructor(scope: Construct, id: string, { api, domain }: { api: RestApiBase; domain: DomainConfig }) {
    super(scope, id);
    const { hostedZoneId, zoneName } = domain;
    const name = api.addDomainName('DomainName', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      endpointType: EndpointType.REGIONAL,
      ...tlsPolicy,
    });
    new ARecord(this, 'Alias', {
      zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName }),
      recordName: domain.name,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(name)),
    });
  }
}
