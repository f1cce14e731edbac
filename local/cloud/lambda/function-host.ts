import { availableParallelism } from 'node:os';
import type { CloudClock } from '../clock/cloud-clock.ts';
import type { Callers } from '../iam/callers.ts';
import { environmentOf } from './environment.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { Invoker } from './invoker.ts';
import { Pool } from './pool.ts';

export interface FunctionHostOptions {
  functions: readonly FunctionDefinition[];
  callers: Callers;
  clock: CloudClock;
  region: string;
  proxyEndpoint: string;
  extraVariables: Readonly<Record<string, string>>;
  /** The functions of requests that must not take all of the machine; undefined for no limit. */
  requestFunctions?: ReadonlySet<FunctionDefinition> | undefined;
  maximumInstances?: number | undefined;
  onLog(line: { functionName: string; text: string }): void;
}

/** The maximum number of invocations in progress on one machine. */
const maximumBusy = 24;

/** Requests in progress. They wait for DynamoDB Local half of the time; more threads would only take time from each other. */
const maximumBusyRequests = 4 * availableParallelism();

/**
 * Each instance needs 20 to 27 MB after an hour, and with one for each of 70 functions a run stood at 2 GB. Starting one costs as
 * much CPU time as ten requests, so there are enough for what a shop, its box office and its gates call all the time.
 */
const defaultMaximumInstances = 28;

/** Gives every function its own environment and credentials, and a pool for its instances. */
export function createFunctionHost(options: FunctionHostOptions): { invoker: Invoker; stop(): Promise<void> } {
  const { functions, callers, clock, onLog } = options;
  const environments = new Map(
    functions.map((definition) => {
      const { name: functionName, description, role } = definition;
      const { name: roleName, statements } = role;
      const caller = { kind: 'function', functionName, description, roleName, statements } as const;
      return [definition, environmentOf(definition, { ...options, credentials: callers.register(caller) })];
    }),
  );
  const pool = new Pool({
    maximumBusy,
    requests: options.requestFunctions && { functions: options.requestFunctions, maximumBusy: maximumBusyRequests },
    maximumInstances: options.maximumInstances ?? defaultMaximumInstances,
    instanceOptions: (definition) => ({
      definition,
      environment: environments.get(definition) ?? {},
      clockOffset: clock.sharedOffset,
      onLog: (text) => onLog({ functionName: definition.name, text }),
    }),
  });
  return { invoker: new Invoker(pool), stop: () => pool.stop() };
}
