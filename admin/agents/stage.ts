import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { notRunning, readLocalConnection } from '../../local/run/connection-file.ts';
import { addressOf, stages } from '../connection.ts';
import { refusal, usageError } from '../failure.ts';

export interface Stage {
  readonly name: string;
  readonly address: string;
  /** Ids mean the same things within a run. Another start of the local run may have other data. */
  readonly run: string;
}

const RunFile = v.object({ url: v.string(), pid: v.number() });
export const stageNames = ['local', ...stages];

/** The stage of this name, if it is there. */
export async function findStage(name: string, localFolder: string): Promise<Stage> {
  if (!stageNames.includes(name)) {
    throw usageError(`There is no stage ${name}. Use --stage ${stageNames.join(' or ')}.`, '--stage');
  }
  if (name !== 'local') {
    const address = await addressOf(name);
    return { name, address, run: address };
  }
  if ((await readLocalConnection(join(localFolder, 'admin.json'))) === undefined)
    throw refusal('not_running', notRunning);
  const { url, pid } = v.parse(RunFile, JSON.parse(readFileSync(join(localFolder, 'run.json'), 'utf8')));
  return { name, address: url, run: `${url} ${pid}` };
}
