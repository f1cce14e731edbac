import {
  APIGatewayClient,
  type GatewayResponseType,
  GetGatewayResponseCommand,
  paginateGetResources,
} from '@aws-sdk/client-api-gateway';
import { ofType, type SmokeTarget } from '../target.ts';

export interface GatewayConfiguration {
  integrationsWith(mode: string): Promise<number>;
  responseTemplate(type: GatewayResponseType): Promise<string>;
}

export function restApiId(target: SmokeTarget): string {
  return ofType(target, 'AWS::ApiGateway::RestApi')[0]?.physicalId ?? '';
}

/** Reads what API Gateway made of the body of the API. */
export async function gatewayConfiguration<Result>(
  target: SmokeTarget,
  read: (configuration: GatewayConfiguration) => Promise<Result>,
): Promise<Result> {
  const client = new APIGatewayClient({ maxAttempts: 10 });
  const id = restApiId(target);
  try {
    return await read({
      async integrationsWith(mode) {
        let found = 0;
        const pages = paginateGetResources({ client }, { restApiId: id, embed: ['methods'], limit: 500 });
        for await (const { items = [] } of pages) {
          for (const { resourceMethods = {} } of items) {
            for (const { methodIntegration } of Object.values(resourceMethods)) {
              if (methodIntegration?.responseTransferMode === mode) found += 1;
            }
          }
        }
        return found;
      },
      async responseTemplate(responseType) {
        const command = new GetGatewayResponseCommand({ restApiId: id, responseType });
        const { responseTemplates = {} } = await client.send(command);
        return responseTemplates['application/json'] ?? '';
      },
    });
  } finally {
    client.destroy();
  }
}
