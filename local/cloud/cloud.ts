import { createApiHandler, createApiServer } from '../api-gateway/server.ts';
import { CloudClock } from '../clock/cloud-clock.ts';
import { createTables } from '../dynamodb/create-tables.ts';
import { type DynamoDbLocal, startDynamoDbLocal } from '../dynamodb/dynamodb-local.ts';
import type { FillTable } from '../dynamodb/put-items.ts';
import { startTtlSweep } from '../dynamodb/ttl-sweep.ts';
import { startEventSources } from '../event-sources/start.ts';
import { createDelivery } from '../eventbridge/deliver.ts';
import { createEventBridge } from '../eventbridge/event-bridge.ts';
import { closeServer, listen, loopback } from '../http/listen.ts';
import { Callers } from '../iam/callers.ts';
import { dynamoDbDemands } from '../iam/dynamodb-demands.ts';
import { eventBridgeDemands, secretsManagerDemands, sqsDemands } from '../iam/messaging-demands.ts';
import { createProxy } from '../iam/proxy.ts';
import { AsynchronousInvoker } from '../lambda/asynchronous-invoker.ts';
import { createFunctionHost } from '../lambda/function-host.ts';
import type { Outcome } from '../lambda/instance.ts';
import { startSchedules } from '../schedules/schedules.ts';
import { createSecretsManager } from '../secrets-manager/secrets-manager.ts';
import { QueueSender } from '../sqs/queue-sender.ts';
import { readAssembly } from '../template/assembly.ts';
import type { ParsedTemplate, Resource } from '../template/parsed-template.ts';
import { startBackends } from './backends.ts';
import { CloudError } from './cloud-error.ts';
import { openDataFolder } from './data-folder.ts';
import { readPlan } from './plan.ts';
import { Teardown } from './teardown.ts';

export interface CloudOptions {
  /** A `cdk.out` folder. While it is still in the making, what does not need it starts. */
  assemblyDir: string | Promise<string>;
  stackName: string;
  /** The API's port; 0 takes any free one. Everything else listens on free ports. */
  port: number;
  data: 'memory' | { folder: string };
  /** Called for every table that is new, before its stream is opened; again at the next start if it did not come to its end. */
  fillTable?: FillTable;
  /** Off, nothing happens by the clock alone, as when an operator disables every rule. */
  schedules?: 'on' | 'off';
  /** Variables that the local run, and only it, adds to every function. */
  variables?: Record<string, string>;
  /** What functions print, and what IAM refuses them. */
  onLog?: (line: { functionName: string; text: string }) => void;
  /** Called when a part that everything stands on has ended by itself. */
  onLost?: (reason: string) => void;
}

export interface Cloud {
  url: string;
  /** Through the proxy, so that IAM is asked. */
  endpoints: { dynamodb: string; sqs: string; eventbridge: string; secretsManager: string };
  /** Credentials that may do everything, for the admin CLI and for tests. */
  operator: { accessKeyId: string; secretAccessKey: string; region: string };
  /** A table's name, a queue's URL, a function's name: what `Ref` gives. */
  physicalId(logicalId: string): string;
  template: ParsedTemplate;
  /** Every variable that the template sets on a function, resolved. */
  variables: Record<string, string>;
  /** Milliseconds; every function sees this time through `Date`. */
  clock: { now(): number; advance(seconds: number): void };
  /** Switches what feeds a function off and on again, as an operator can on AWS. */
  setEventSource(functionLogicalId: string, enabled: boolean): Promise<void>;
  /** Invokes a function directly and returns what it returns, or throws its error. */
  invoke(functionLogicalId: string, event: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

const defaultRegion = 'us-east-1';

/** Runs a synthesized stack on this machine. When the promise resolves, everything that the template describes is running. */
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
  const clock = new CloudClock();
  const now = () => clock.now();
  teardown.add(() => clock.stop());

  // The ports come first: a taken one is told at once, and the URLs of queues carry the proxy's.
  const { server: apiServer, serve } = createApiServer();
  const port = await listen(apiServer, options.port);
  teardown.add(() => closeServer(apiServer));
  const callers = new Callers();
  const proxy = createProxy({ callers, onRefusal: ({ functionName }, text) => onLog({ functionName, text }) });
  const proxyEndpoint = `http://${loopback}:${await listen(proxy.server, 0)}`;
  teardown.add(async () => {
    await closeServer(proxy.server);
    proxy.close();
  });

  const startTable = () => startDynamoDb(options, teardown);
  // Java takes a second to start. A template that is already there is looked at before: many a mistake is told at once.
  const starting = typeof options.assemblyDir === 'string' ? undefined : startTable();
  const assembly = readAssembly(await options.assemblyDir, options.stackName);
  const region = assembly.region ?? defaultRegion;
  const plan = readPlan(assembly, { stackName: options.stackName, region, sqsEndpoint: proxyEndpoint });
  const { template, functions, queues, tables } = plan;
  const backends = await startBackends({ dynamodbLocal: starting ?? startTable(), region, clock, queues, teardown });
  const { dynamodb, streams, sqs, polls } = backends;
  await createTables(tables, { dynamodb, files, ...(options.fillTable && { fillTable: options.fillTable }) });

  const extraVariables = options.variables ?? {};
  const host = createFunctionHost({ functions, callers, clock, region, proxyEndpoint, extraVariables, onLog });
  const { invoker } = host;
  teardown.add(() => host.stop());
  const queueSender = new QueueSender(queues, sqs);
  const asynchronous = new AsynchronousInvoker({ template, functions, invoker, queues: queueSender, clock });
  const deliver = createDelivery({ functions, queues: queueSender, invoker: asynchronous });
  const secrets = createSecretsManager(template, files, now);

  const tableKeys = new Map(tables.map((table) => [table.name, table.keys]));
  const eventBridge = createEventBridge({ ...plan, deliver, region, now });
  proxy.serve('dynamodb', {
    demands: dynamoDbDemands(region, tableKeys),
    upstream: { forwardTo: backends.dynamodbEndpoint },
  });
  proxy.serve('sqs', { demands: sqsDemands(region), upstream: { forwardTo: backends.sqsEndpoint } });
  proxy.serve('events', { demands: eventBridgeDemands(region), upstream: { answer: eventBridge } });
  proxy.serve('secretsmanager', { demands: secretsManagerDemands(secrets.arnOf), upstream: secrets });

  const sweep = startTtlSweep(tables, dynamodb, clock);
  const sources = startEventSources({
    ...plan,
    dynamodb,
    streams,
    sqs: polls,
    queues: queueSender,
    invoker,
    files,
    region,
    now,
  });
  teardown.add(async () => {
    sweep.stop();
    // Closing the lines ends long polls that would otherwise be waited for.
    const stopping = sources.stop();
    for (const client of [dynamodb, streams, polls]) client.close();
    await Promise.all([host.stop(), stopping]);
    // What functions put on the bus before they ended reaches its queue.
    await queueSender.settled();
    sqs.close();
  });
  await sources.opened;
  if (options.schedules !== 'off') startSchedules({ ...plan, deliver, invoker: asynchronous, clock, region });
  serve(createApiHandler({ ...plan, invoker, now }));
  // A second time, because in an ordinary stop the door closes first.
  teardown.add(() => closeServer(apiServer));

  const operator = callers.admit({ kind: 'operator', functionName: 'operator', roleName: 'operator', statements: [] });
  return {
    url: `http://${loopback}:${port}`,
    endpoints: {
      dynamodb: proxyEndpoint,
      sqs: proxyEndpoint,
      eventbridge: proxyEndpoint,
      secretsManager: proxyEndpoint,
    },
    operator: { ...operator, region },
    physicalId: (logicalId) => resourceOf(template, logicalId).ref,
    template,
    variables: Object.assign({}, ...functions.map(({ variables }) => variables)),
    clock: { now, advance: (seconds) => clock.advance(seconds) },
    setEventSource: (logicalId, enabled) => sources.setEnabled(logicalId, enabled),
    invoke: async (logicalId, event) => {
      const definition = functions.find((candidate) => candidate.logicalId === logicalId);
      if (definition === undefined) throw new CloudError(`There is no function ${logicalId} in the template`);
      return payloadOf(await invoker.invoke(definition, event));
    },
    stop: () => teardown.run(),
  };
}

function startDynamoDb({ data, onLost }: CloudOptions, teardown: Teardown): Promise<DynamoDbLocal> {
  const starting = startDynamoDbLocal({ data, onLost: (reason) => onLost?.(`DynamoDB Local has ended: ${reason}`) });
  const stop = starting.then(
    (started) => started.stop,
    () => async () => {},
  );
  teardown.add(async () => (await stop)());
  return starting;
}

function resourceOf(template: ParsedTemplate, logicalId: string): Resource {
  const resource = template.resources.get(logicalId);
  if (resource === undefined) throw new CloudError(`There is no resource ${logicalId} in the template`);
  return resource;
}

function payloadOf(outcome: Outcome): unknown {
  if (outcome.kind === 'result') return fromJson(outcome.payload);
  const error = new Error(outcome.kind === 'error' ? outcome.error.errorMessage : 'The function streamed its response');
  if (outcome.kind === 'error') error.name = outcome.error.errorType;
  throw error;
}

/** What a streaming handler sends need not be JSON. */
function fromJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}
