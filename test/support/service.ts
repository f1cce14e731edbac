import { type Cloud, startCloud } from '../../local/cloud/cloud.ts';
import { localVariables } from '../../local/run/local-variables.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import type { Scope } from '../../shared/domain/auth/scopes.ts';
import { assembly } from './assembly.ts';
import { givenKey, givenOrganisation } from './auth.ts';
import { testSigner } from './signing-key.ts';

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface CallOptions {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array | undefined;
}

export interface Service {
  readonly cloud: Cloud;
  /** The table, with the operator's credentials. */
  readonly table: Table;
  /** What functions printed, and every call that IAM refused. */
  readonly logs: string[];
  call(path: string, options?: CallOptions): Promise<ServiceResponse>;
  newKey(orgId: string, options?: { keyId?: string; scopes?: readonly Scope[]; expiresUnix?: number }): Promise<string>;
  stop(): Promise<void>;
}

interface ServiceOptions {
  /** Environment variables of every function. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Off in tests that move the clock often and need no sweeper, because every minute starts all of them. */
  readonly schedules?: 'on' | 'off';
}

/** The whole service over HTTP, from the synthesized stack that also has the probe operation. */
export async function startService(
  organisations: readonly string[],
  { variables = {}, schedules = 'on' }: ServiceOptions = {},
): Promise<Service> {
  const logs: string[] = [];
  const cloud = await startCloud({
    ...assembly('probe'),
    port: 0,
    data: 'memory',
    schedules,
    variables: { ...localVariables, TOKEN_PUBLIC_KEYS: testSigner.publicKey, ...variables },
    onLog: ({ functionName, text }) => logs.push(`${functionName}: ${text}`),
  });
  const { region, accessKeyId, secretAccessKey } = cloud.operator;
  const [tableResource] = cloud.template.ofType('AWS::DynamoDB::GlobalTable');
  const table = openTable(tableResource?.ref ?? '', {
    ...batchClientConfig,
    region,
    endpoint: cloud.endpoints.dynamodb,
    credentials: { accessKeyId, secretAccessKey },
  });
  for (const orgId of organisations) await givenOrganisation(table, orgId);
  return {
    cloud,
    table,
    logs,
    async call(path, { method = 'GET', key, headers = {}, body } = {}) {
      const response = await fetch(`${cloud.url}${path}`, {
        method,
        headers: { ...headers, ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    newKey: async (orgId, options) => (await givenKey(table, orgId, options)).text,
    async stop() {
      table.client.destroy();
      await cloud.stop();
    },
  };
}
