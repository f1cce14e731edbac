import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { type ApiHandler, createApiHandler, createApiServer } from './api-gateway/server.ts';
import { startBackends } from './backends.ts';
import { openClock } from './clock/kept-clock.ts';
import { CloudError } from './cloud-error.ts';
import { openDataFolder } from './data-folder.ts';
import { createTables } from './dynamodb/create-tables.ts';
import type { DynamoDbLocal } from './dynamodb/dynamodb-local.ts';
import { schemaOf, TableDefinition } from './dynamodb/model/table-definition.ts';
import { startPhysicsProxy } from './dynamodb/physics/physics-proxy.ts';
import type { FillTable } from './dynamodb/put-items.ts';
import { type DatabaseOptions, startDatabase } from './dynamodb/start.ts';
import type { Table } from './dynamodb/tables.ts';
import { startTtlSweep } from './dynamodb/ttl-sweep.ts';
import { UnfinishedTables } from './dynamodb/unfinished-tables.ts';
import { startEventSources } from './event-sources/start.ts';
import { StreamPositions } from './event-sources/stream-positions.ts';
import { createDelivery } from './eventbridge/deliver.ts';
import { createEventBridge } from './eventbridge/event-bridge.ts';
import { closeServer, listen, loopback } from './http/listen.ts';
import { type Caller, Callers } from './iam/callers.ts';
import { dynamoDbAccess } from './iam/dynamodb-access.ts';
import type { AccessRequest } from './iam/evaluate.ts';
import { eventBridgeAccess, secretsManagerAccess, sqsAccess } from './iam/messaging-access.ts';
import { createProxy } from './iam/proxy.ts';
import type { KeptFiles } from './kept-files.ts';
import { AsynchronousInvoker } from './lambda/asynchronous-invoker.ts';
import { createFunctionHost } from './lambda/function-host.ts';
import type { Outcome } from './lambda/instance.ts';
import { readPlan } from './plan.ts';
import { startSchedules } from './schedules/schedules.ts';
import { createSecretsManager, KeptSecrets } from './secrets-manager/secrets-manager.ts';
import { QueueSender } from './sqs/queue-sender.ts';
import { KeptTable, type RestoredTable } from './table-in-use.ts';
import { Teardown } from './teardown.ts';
import { readAssembly } from './template/assembly.ts';
import type { ParsedTemplate, Resource } from './template/parsed-template.ts';

export interface CloudOptions extends DatabaseOptions {
  /**
   * A `cdk.out` folder, or a function that synthesizes one, for the restored table if the data folder has one. While it is being
   * synthesized, the parts that do not need it start.
   */
  assemblyDir: string | ((restored: RestoredTable | undefined) => Promise<string>);
  /** The port of the API; 0 for any free one. Everything else listens on free ports. */
  port: number;
  /** Called for every new table before its stream is enabled, and again at the next start if it did not complete. */
  fillTable?: FillTable;
  /**
   * Requests of a function are answered with 429 while another of its requests has waited longer than this for an instance,
   * and only as many requests are in progress as the machine has use for. Without it, requests wait as long as they must,
   * which suits tests that send many at once.
   */
  longestWaitMs?: number;
  /** The most instances of functions, idle ones included; by default enough for all functions. */
  maximumInstances?: number;
  /** Whether the table behaves as on AWS: conflicts of transactions, throttling, latency (ADR 41). Off by default. */
  physics?: 'aws' | 'none';
  /** The time at which the run starts, for new data only; the default is the machine's time. */
  startsAtMs?: number;
  /** Serves pages beside the API, at its own address. Returns false for a path that is not a page. */
  pages?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Responds to requests that arrive before the cloud is ready. */
  whileStarting?: ApiHandler;
  /** Whether schedules run. Without them, nothing happens on a timer, as if an operator had disabled every rule. */
  schedules?: 'on' | 'off';
  /** Environment variables that only the local run adds to every function. They may depend on its address, and on what is kept with the data. */
  variables?:
    | Record<string, string>
    | ((run: { readonly url: string; readonly files: KeptFiles }) => Record<string, string>);
  /** Receives the output of functions, and their requests that IAM denies. */
  onLog?: (line: { functionName: string; text: string }) => void;
  /** Says what to change for IAM to allow a denied request. */
  grantAdvice?: (caller: Caller, accessRequest: AccessRequest) => string | undefined;
}

export interface Cloud {
  url: string;
  /** Through the proxy, which evaluates IAM. */
  endpoints: { dynamodb: string; sqs: string; eventbridge: string; secretsManager: string };
  /** Credentials with all permissions, for the admin CLI and for tests. */
  operator: { accessKeyId: string; secretAccessKey: string; region: string };
  /** The value of `Ref`: the name of a table, the URL of a queue, the name of a function. */
  physicalId(logicalId: string): string;
  template: ParsedTemplate;
  /** The environment variables of the functions: those of the template, resolved, and those of the local run. */
  variables: Record<string, string>;
  /** In milliseconds. Every function sees this time through `Date`. */
  clock: { readonly aheadMs: number; now(): number; advance(seconds: number): void };
  /** Disables or enables all schedules, as an operator can on AWS. */
  setSchedules(state: 'on' | 'off'): void;
  /** Disables or enables the event sources of a function, as an operator can on AWS. */
  setEventSource(functionLogicalId: string, enabled: boolean): Promise<void>;
  /** Invokes a function directly and returns its result, or throws its error. */
  invoke(functionLogicalId: string, event: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

const defaultRegion = 'us-east-1';

/** Runs the stacks of an assembly on this machine. When the promise resolves, everything in the template is running. */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const teardown = new Teardown();
  try {
    return await start(options, teardown);
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

async function start(options: CloudOptions, teardown: Teardown): Promise<Cloud> {
  const onLog = options.onLog ?? (() => {});
  const files = openDataFolder(options.data);
  teardown.add(() => files.close());
  // Read before anything starts, so a damaged file is reported immediately.
  const unfinished = new UnfinishedTables(files);
  const positions = new StreamPositions(files);
  const keptSecrets = new KeptSecrets(files);
  const keptTable = new KeptTable(files);
  const { restored } = keptTable;
  const clock = openClock(files, options.startsAtMs);
  const now = () => clock.now();
  teardown.add(() => clock.stop());

  const assemblyDir = typeof options.assemblyDir === 'string' ? options.assemblyDir : options.assemblyDir(restored);
  // The ports come first: a port in use is reported immediately, and the URLs of queues contain the port of the proxy.
  const { server: apiServer, serve } = createApiServer(options.whileStarting);
  const url = `http://${loopback}:${await listen(apiServer, options.port)}`;
  teardown.add(() => closeServer(apiServer));
  const { variables = {} } = options;
  const extraVariables = typeof variables === 'function' ? variables({ url, files }) : variables;
  const callers = new Callers();
  const proxy = createProxy({
    callers,
    onRefusal: (caller, message, accessRequest) => {
      const advice = accessRequest && options.grantAdvice?.(caller, accessRequest);
      onLog({ functionName: caller.functionName, text: advice === undefined ? message : `${message}. ${advice}` });
    },
  });
  const proxyEndpoint = `http://${loopback}:${await listen(proxy.server, 0)}`;
  teardown.add(async () => {
    await closeServer(proxy.server);
    proxy.close();
  });

  const startTable = () => startDatabase(options, teardown);
  // Java takes a second to start. A template that is ready is checked before that, so errors are reported early.
  const starting = typeof assemblyDir === 'string' ? undefined : startTable();
  const assembly = readAssembly(await assemblyOrFailure(assemblyDir, starting));
  const region = assembly.region ?? defaultRegion;
  const plan = readPlan(assembly, { region, sqsEndpoint: proxyEndpoint, restored });
  const { template, functions, queues, tables } = plan;
  const { onLost } = options;
  const dynamodbLocal = starting ?? startTable();
  const backends = await startBackends({ dynamodbLocal, region, clock, queues, onLost, teardown });
  const { dynamodb, streams, sqs, sqsPolling } = backends;
  const { fillTable } = options;
  await createTables(tables, { dynamodb, unfinished, known: keptTable.tableName, ...(fillTable && { fillTable }) });
  if (restored === undefined && tables.length === 1) keptTable.use(tables[0]?.name ?? '');

  // A streamed response lasts as long as its client reads, and needs hardly any CPU time meanwhile.
  const answering = plan.api.routes.filter(({ streamed }) => !streamed).map(({ definition }) => definition);
  const requestFunctions = options.longestWaitMs === undefined ? undefined : new Set(answering);
  const shared = { functions, callers, clock, region, proxyEndpoint, extraVariables, onLog };
  const host = createFunctionHost({ ...shared, requestFunctions, maximumInstances: options.maximumInstances });
  const { invoker } = host;
  teardown.add(() => host.stop());
  const queueSender = new QueueSender(queues, sqs);
  const asynchronous = new AsynchronousInvoker({ template, functions, invoker, clock });
  const deliver = createDelivery({ functions, queues: queueSender, invoker: asynchronous });
  const secrets = createSecretsManager(template, keptSecrets, now);

  const tableKeys = new Map(tables.map((table) => [table.name, table.keys]));
  const eventBridge = createEventBridge({ ...plan, deliver, region, now });
  const { endpoint, answer } = await dynamodbLocal;
  const tableEndpoint = options.physics === 'aws' ? await addPhysics(tables, endpoint, teardown) : endpoint;
  proxy.serve('dynamodb', {
    accessRequests: dynamoDbAccess(region, tableKeys),
    upstream: answer === undefined || options.physics === 'aws' ? { forwardTo: tableEndpoint } : { answer },
  });
  proxy.serve('sqs', { accessRequests: sqsAccess(region), upstream: { forwardTo: backends.sqsEndpoint } });
  proxy.serve('events', { accessRequests: eventBridgeAccess(region), upstream: { respond: eventBridge } });
  proxy.serve('secretsmanager', { accessRequests: secretsManagerAccess(secrets.arnOf), upstream: secrets });

  const sweep = startTtlSweep(tables, dynamodb, clock);
  const sources = startEventSources({
    ...plan,
    dynamodb,
    streams,
    sqs: sqsPolling,
    queues: queueSender,
    invoker,
    positions,
    region,
    now,
  });
  teardown.add(async () => {
    sweep.stop();
    // Closing the clients ends long polls, which the stop would otherwise wait for.
    const stopping = sources.stop();
    for (const client of [dynamodb, streams, sqsPolling]) client.close();
    await Promise.all([host.stop(), stopping]);
    // Events that functions published before they ended reach their queue.
    await queueSender.settled();
    sqs.close();
  });
  await sources.opened;
  let { schedules = 'on' } = options;
  startSchedules({ ...plan, deliver, invoker: asynchronous, clock, region, areOn: () => schedules === 'on' });
  const handler = createApiHandler({ ...plan, invoker, now, longestWaitMs: options.longestWaitMs });
  const { pages = () => false } = options;
  serve((request, response) => {
    if (!pages(request, response)) handler(request, response);
  }, plan.gatewayResponses);
  // Added a second time, because a normal stop must close the API before everything else.
  teardown.add(() => closeServer(apiServer));

  const operator = callers.register({
    kind: 'operator',
    functionName: 'operator',
    roleName: 'operator',
    statements: [],
  });
  return {
    url,
    endpoints: {
      dynamodb: proxyEndpoint,
      sqs: proxyEndpoint,
      eventbridge: proxyEndpoint,
      secretsManager: proxyEndpoint,
    },
    operator: { ...operator, region },
    physicalId: (logicalId) =>
      tables.find((table) => table.logicalId === logicalId)?.name ?? resourceOf(template, logicalId).ref,
    template,
    variables: Object.assign({}, ...functions.map((definition) => definition.variables), extraVariables),
    clock,
    setSchedules: (state) => {
      schedules = state;
    },
    setEventSource: (logicalId, enabled) => sources.setEnabled(logicalId, enabled),
    invoke: async (logicalId, event) => {
      const definition = functions.find((candidate) => candidate.logicalId === logicalId);
      if (definition === undefined) throw new CloudError(`The template has no function ${logicalId}`);
      return payloadOf(await invoker.invoke(definition, event));
    },
    stop: () => teardown.run(),
  };
}

/** A damaged database is reported at once, also while the stack is being synthesized. */
function assemblyOrFailure(
  assemblyDir: string | Promise<string>,
  starting: Promise<DynamoDbLocal> | undefined,
): Promise<string> {
  const assembly = Promise.resolve(assemblyDir);
  return starting === undefined ? assembly : Promise.race([assembly, starting.then(() => assembly)]);
}

function resourceOf(template: ParsedTemplate, logicalId: string): Resource {
  const resource = template.resources.get(logicalId);
  if (resource === undefined) throw new CloudError(`The template has no resource ${logicalId}`);
  return resource;
}

function payloadOf(outcome: Outcome): unknown {
  if (outcome.kind === 'result') return fromJson(outcome.payload);
  const error = new Error(outcome.kind === 'error' ? outcome.error.errorMessage : 'The function streamed its response');
  if (outcome.kind === 'error') error.name = outcome.error.errorType;
  throw error;
}

/** A streaming handler may send something other than JSON. */
function fromJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}

/** Only the calls of functions get the physics of AWS. The cloud's own calls, such as those of the stream, do not. */
async function addPhysics(
  [table, ...others]: readonly Table[],
  dynamodbEndpoint: string,
  teardown: Teardown,
): Promise<string> {
  if (table === undefined || others.length > 0)
    throw new CloudError('The physics of AWS need a template with one table');
  const schema = schemaOf(v.parse(TableDefinition, { TableName: table.name, ...table.definition }));
  const proxy = await startPhysicsProxy(dynamodbEndpoint, schema, { random: Math.random });
  teardown.add(() => proxy.stop());
  return proxy.endpoint;
}
