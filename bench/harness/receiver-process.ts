import { spawn } from 'node:child_process';

/**
 * Responds to every POST with 200, and to a GET with the number of POSTs. It is a separate process, so that its CPU time is not
 * counted as the sender's.
 */
const program = `let posts = 0;
const server = require('node:http').createServer((request, response) => {
  request.resume();
  if (request.method === 'POST') posts += 1;
  request.on('end', () => response.writeHead(200).end(request.method === 'GET' ? String(posts) : 'ok'));
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
process.stdin.resume();
process.stdin.on('end', () => process.exit());`;

export interface ReceiverProcess {
  readonly url: string;
  /** The number of POSTs so far. */
  received(): Promise<number>;
  stop(): void;
}

export async function startReceiverProcess(): Promise<ReceiverProcess> {
  // The child exits when its input closes, also when this process is killed.
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8')));
    child.once('exit', () => reject(new Error('The receiver did not start.')));
  });
  const url = `http://127.0.0.1:${port}/hook`;
  return { url, received: async () => Number(await (await fetch(url)).text()), stop: () => void child.kill() };
}
