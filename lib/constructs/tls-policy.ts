import { EndpointAccessMode, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';

/**
 * TLS 1.2 or 1.3 with forward secrecy, for every address of the API. The default of API Gateway's own address accepts TLS 1.0. The
 * strict mode refuses a connection that was opened for another host name.
 */
export const tlsPolicy = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
};
