import { CfnDomainName, EndpointType, IpAddressType, type RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { DomainConfig } from '../stage-config.ts';
import { tlsPolicy } from './tls-policy.ts';

interface CustomDomainProps {
  readonly api: RestApiBase;
  readonly domain: DomainConfig;
  readonly certificateArn: string;
  /** Whether requests come here. After the loss of a region an operator sends them here when the data is back. */
  readonly isActive: boolean;
}

/** A custom domain for the API. Zone and certificate are configured by id, because a look-up during synthesis would need credentials. */
export class CustomDomain extends Construct {
  constructor(scope: Construct, id: string, { api, domain, certificateArn, isActive }: CustomDomainProps) {
    super(scope, id);
    const { hostedZoneId, zoneName } = domain;
    const name = api.addDomainName('DomainName', {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      ...tlsPolicy,
    });
    const resource = name.node.defaultChild;
    if (!(resource instanceof CfnDomainName)) throw new Error('The domain has no CloudFormation resource.');
    resource.addPropertyOverride('EndpointConfiguration.IpAddressType', IpAddressType.DUAL_STACK);
    // One record for each region, with a weight: a stack of another region creates its own, and none has to be deleted first.
    const record = {
      zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName }),
      recordName: domain.name,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(name)),
      setIdentifier: api.stack.region,
      weight: isActive ? 100 : 0,
    };
    new ARecord(this, 'Alias', record);
    new AaaaRecord(this, 'AliasIpv6', record);
  }
}
