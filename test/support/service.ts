import { type Cloud, startCloud } from '../../local/cloud/cloud.ts';
import { ModelDatabase } from '../../local/cloud/dynamodb/model/database.ts';
import { type GoogleChange, startGoogleDouble } from '../../local/run/google-double.ts';
import { grantAdvice } from '../../local/run/grant-advice.ts';
import { localVariables } from '../../local/run/local-variables.ts';
import { storeLocalWallets } from '../../local/run/local-wallets.ts';
import { startPushDouble } from '../../local/run/push-double.ts';
import { batchClientConfig, openTable, type Table } from '../../shared/data/table/table.ts';
import { windowNames } from '../../shared/domain/auth/rate-windows.ts';
import type { Scope } from '../../shared/domain/auth/scopes.ts';
import { givenCount, givenKey, givenOrganisation } from '../../tools/fixtures/auth.ts';
import { deployment } from '../../tools/fixtures/deployment.ts';
import { testSigner } from '../../tools/fixtures/signing-key.ts';
import type { AssemblyName } from './assemblies.ts';
import { assembly } from './assembly.ts';
import { operatorTable } from './operator-table.ts';
import { sendToHost } from './send-to-host.ts';
import { whenSharingEnds } from './shared-services.ts';
import { callDirectly, inMemory } from './table.ts';

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
  /** The local cloud. A service that was deployed already has none: reading it throws. */
  readonly cloud: Cloud;
  readonly url: string;
  /** The headers that every request needs to arrive. */
  readonly headers: Readonly<Record<string, string>>;
  /** The table, with the operator's credentials. */
  readonly table: Table;
  /** What functions printed, and every call that IAM refused. */
  readonly logs: string[];
  /** The tokens of the devices that were told that a pass has changed. */
  readonly pushes: readonly string[];
  /** What Google was told that its passes show. The double knows every pass. */
  readonly googleChanges: readonly GoogleChange[];
  call(path: string, options?: CallOptions): Promise<ServiceResponse>;
  /** After this, the key 1 of the organisation has all its requests of a minute. */
  nextMinute(orgId: string): Promise<void>;
  newKey(orgId: string, options?: { keyId?: string; scopes?: readonly Scope[]; expiresUnix?: number }): Promise<string>;
  /** Throws if IAM refused a call of a function, an operation or a worker: its role lacks a grant. */
  stop(): Promise<void>;
}

interface ServiceOptions {
  /** The stack that runs; by default the one with the probe operation. */
  readonly stack?: AssemblyName;
  /** Environment variables of every function. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Off in tests that move the clock often and need no sweeper, because every minute starts all of them. */
  readonly schedules?: 'on' | 'off';
}

/**
 * The whole service over HTTP: from the synthesized stack that also has the probe operation, or the deployment that exists
 * already (deployment.ts), whose clock cannot be moved and whose log is not read.
 */
export async function startService(organisations: readonly string[], options: ServiceOptions = {}): Promise<Service> {
  // The functions of two services would need 1.6 GB.
  await endIdle();
  const service = deployment === undefined ? await startLocal(options) : useDeployment(deployment);
  for (const orgId of organisations) await givenOrganisation(service.table, orgId);
  return service;
}

/** The service that no file of this worker uses at the moment. */
let idle: Service | undefined;
async function endIdle(): Promise<void> {
  await idle?.stop();
  idle = undefined;
}
whenSharingEnds(endIdle);

/**
 * Like startService, but `stop` keeps the service for the next file of this worker: its functions are warm by then. For tests
 * that move the clock little, leave the event sources on, and have organisations of their own. Its schedules are off unless a
 * test asks for the sweepers. The service ends before the first file that shares none.
 */
export async function shareService(
  organisations: readonly string[],
  { schedules = 'off' }: Pick<ServiceOptions, 'schedules'> = {},
): Promise<Service> {
  const service = idle ?? (await startService([], { schedules }));
  idle = undefined;
  if (deployment === undefined) service.cloud.setSchedules(schedules);
  for (const orgId of organisations) await givenOrganisation(service.table, orgId);
  // The lines of the file before.
  service.logs.length = 0;
  // Not spread: reading the cloud of a deployment throws.
  const stop = async () => {
    idle = service;
    if (deployment === undefined) service.cloud.setSchedules('off');
    expectNoRefusals(service.logs);
  };
  return Object.create(service, { stop: { value: stop } });
}

/** An instance takes 20 MB. */
const maximumInstances = 28;

async function startLocal({ stack = 'probe', variables = {}, schedules = 'on' }: ServiceOptions): Promise<Service> {
  const logs: string[] = [];
  const pushes: string[] = [];
  const pushDouble = await startPushDouble((token) => pushes.push(token));
  const googleChanges: GoogleChange[] = [];
  const googleDouble = await startGoogleDouble((change) => googleChanges.push(change) > 0);
  const database = new ModelDatabase();
  const cloud = await startCloud({
    ...assembly(stack),
    port: 0,
    ...inMemory(database),
    maximumInstances,
    schedules,
    grantAdvice,
    variables: ({ url }) => ({
      ...localVariables,
      API_ADDRESS: url,
      TOKEN_PUBLIC_KEYS: testSigner.publicKey,
      APPLE_PUSH_URL: pushDouble.url,
      GOOGLE_WALLET_URL: googleDouble.url,
      ...variables,
    }),
    onLog: ({ functionName, text }) => logs.push(`${functionName}: ${text}`),
  });
  await storeLocalWallets(cloud);
  const table = callDirectly(operatorTable(cloud), database);
  return {
    cloud,
    url: cloud.url,
    headers: {},
    table,
    logs,
    pushes,
    googleChanges,
    nextMinute: async () => cloud.clock.advance(60),
    call: (path, options) => send(`${cloud.url}${path}`, {}, options),
    newKey: async (orgId, options) => (await givenKey(table, orgId, options)).text,
    async stop() {
      table.client.destroy();
      await cloud.stop();
      await pushDouble.stop();
      await googleDouble.stop();
      expectNoRefusals(logs);
    },
  };
}

/** A line names the function and the action that it lacks. */
function expectNoRefusals(logs: readonly string[]): void {
  const refusals = logs.filter((line) => line.includes('is not authorized to perform'));
  if (refusals.length > 0) throw new Error(refusals.join('\n'));
}

function useDeployment({ url, host, table: tableName }: NonNullable<typeof deployment>): Service {
  const table = openTable(tableName, batchClientConfig);
  const headers = host === undefined ? {} : { Host: host };
  return {
    get cloud(): never {
      throw new Error('This test needs the local cloud, so it cannot run against a deployment.');
    },
    url,
    headers,
    table,
    logs: [],
    pushes: [],
    googleChanges: [],
    // The clock cannot be moved, so the counts start again.
    async nextMinute(orgId) {
      const nowMs = Date.now();
      for (const window of windowNames) await givenCount(table, orgId, { window, nowMs, count: 0 });
    },
    call: (path, options) => send(`${url}${path}`, headers, options),
    newKey: async (orgId, options) => (await givenKey(table, orgId, options)).text,
    stop: async () => table.client.destroy(),
  };
}

async function send(
  url: string,
  common: Readonly<Record<string, string>>,
  { method = 'GET', key, headers = {}, body }: CallOptions = {},
): Promise<ServiceResponse> {
  const request = {
    method,
    headers: { ...common, ...headers, ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
    ...(body !== undefined && { body }),
  };
  const response = await (common.Host === undefined ? fetch(url, request) : sendToHost(url, request));
  const text = await response.text();
  const isJson = /^application\/json/.test(response.headers.get('Content-Type') ?? 'application/json');
  const content = isJson && text !== '' ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : content };
}
