import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import * as v from 'valibot';
import { approve } from '../../admin/agents/approve.ts';
import { startMcp } from '../../admin/agents/mcp.ts';

interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The official client of the Model Context Protocol. */
export class Assistant {
  readonly client = new Client({ name: 'test', version: '1.0.0' });

  async call(name: string, given: object = {}): Promise<Called> {
    const result = CallToolResultSchema.parse(await this.client.callTool({ name, arguments: { ...given } }));
    const [content] = result.content;
    if (content?.type !== 'text') throw new Error('The answer has no text.');
    const body = v.parse(v.looseObject({}), JSON.parse(content.text));
    return { isError: result.isError ?? false, text: content.text, body };
  }
}

const started: Assistant[] = [];

export async function endAssistants(): Promise<void> {
  for (const { client } of started.splice(0)) await client.close();
}

/** Connects to the program of `npm run mcp`, which runs in its own process in this folder. */
export async function startAssistant(folder: string, args: readonly string[]): Promise<Assistant> {
  const assistant = new Assistant();
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const program = fileURLToPath(new URL('../../bin/mcp.ts', import.meta.url));
  const command = { command: process.execPath, args: ['--import', loader, program, ...args], cwd: folder };
  await assistant.client.connect(new StdioClientTransport(command));
  started.push(assistant);
  return assistant;
}

interface Place {
  readonly environment: NodeJS.ProcessEnv;
  readonly localFolder: string;
}

/** Starts the server in this process. Returns its exit code, what it printed, and the client's end of the connection. */
export async function startServer(args: readonly string[], place: Place) {
  const lines: string[] = [];
  const [ours, transport] = InMemoryTransport.createLinkedPair();
  const exitCode = await startMcp(args, { ...place, transport, printError: (line) => lines.push(line) });
  return { exitCode, lines, ours };
}

/** Connects to the server in this process. */
export async function connectAssistant(localFolder: string, args: readonly string[]): Promise<Assistant> {
  const { lines, ours } = await startServer(args, { environment: {}, localFolder });
  if (lines.length > 0) throw new Error(lines.join('\n'));
  const assistant = new Assistant();
  await assistant.client.connect(ours);
  started.push(assistant);
  return assistant;
}

/** `npm run approve` of a person with this key; undefined for a program without a terminal. */
export async function approveWith(localFolder: string, id: string, key: string | undefined) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const askSecret = key === undefined ? undefined : async () => key;
  const exitCode = await approve([id], { localFolder, nowMs: () => Date.now(), print, printError: print, askSecret });
  return { exitCode, printed: lines.join('\n') };
}
