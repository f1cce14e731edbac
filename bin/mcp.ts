import { resolve } from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { startMcp } from '../admin/agents/mcp.ts';

/** Lets an assistant call operations of the API: `npm run --silent mcp -- --profile support`. */
const exitCode = await startMcp(process.argv.slice(2), {
  environment: process.env,
  localFolder: resolve('.local'),
  transport: new StdioServerTransport(),
  printError: (line) => console.error(line),
});
if (exitCode !== undefined) process.exitCode = exitCode;
// The client closes stdin when it ends. Open connections to the stage would keep the process alive.
else process.stdin.once('end', () => process.exit());
