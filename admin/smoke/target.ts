import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Table } from '../../shared/data/table/table.ts';
import type { TokenSigner } from '../../shared/http/auth/sign-token.ts';
import { addressOf, connect, type stages } from '../connection.ts';
import { resourcesOfStage, type StackResource } from '../stack-resources.ts';
import { type Call, type Reply, send } from './http.ts';

export type SmokeStage = 'local' | (typeof stages)[number];

export interface SmokeOptions {
  readonly stage: SmokeStage;
  /** Another address of the API than that of the stack or of the local run, and the host to name. */
  readonly address: string | undefined;
  readonly host: string | undefined;
  /** Whether checks may change the stage for some minutes: an alias, a temporary API and role. */
  readonly mayChange: boolean;
}

export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly localFolder: string;
  /** The check that runs is completed, and what it changed is undone. No other begins. */
  readonly interruption: AbortSignal;
}

/** What the checks look at. */
export interface SmokeTarget {
  readonly stage: SmokeStage;
  /** `emulator`: an AWS that is not Amazon's, at AWS_ENDPOINT_URL. */
  readonly kind: 'local' | 'emulator' | 'aws';
  readonly mayChange: boolean;
  readonly table: Table;
  readonly signer: () => Promise<TokenSigner>;
  /** The resources of the service stack, its nested stacks and the state stack. The local run has none. */
  readonly resources: readonly StackResource[];
  /** The path of the API begins with a slash, and the address does not end in one. */
  call(path: string, call?: Call): Promise<Reply>;
}

export async function openTarget(options: SmokeOptions, surroundings: Surroundings): Promise<SmokeTarget> {
  const { stage, host, mayChange } = options;
  const { environment, localFolder } = surroundings;
  const isLocal = stage === 'local';
  const localFile = join(localFolder, 'admin.json');
  const { table, signer } = await connect(isLocal ? { local: true } : { stage }, { environment, localFile });
  const address = options.address ?? (isLocal ? localAddress(localFolder) : await addressOf(stage));
  const base = address.replace(/\/+$/, '');
  return {
    stage,
    kind: isLocal ? 'local' : kindOf(environment),
    mayChange,
    table,
    signer,
    resources: isLocal ? [] : await resourcesOfStage(stage, ['state', 'service']),
    call: (path, call = {}) => send(new URL(`${base}${path}`), host, call),
  };
}

const kindOf = ({ AWS_ENDPOINT_URL }: NodeJS.ProcessEnv) => (AWS_ENDPOINT_URL === undefined ? 'aws' : 'emulator');

const RunFile = v.object({ url: v.string() });

function localAddress(localFolder: string): string {
  return v.parse(RunFile, JSON.parse(readFileSync(join(localFolder, 'run.json'), 'utf8'))).url;
}

export const ofType = ({ resources }: SmokeTarget, type: string): readonly StackResource[] =>
  resources.filter((resource) => resource.type === type);
