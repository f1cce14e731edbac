import { spawn } from 'node:child_process';

/** Responds to every POST with 200. It is a separate process, so its CPU time is not counted as the sender's. */
const program = `const server = require('node:http').createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200).end('ok'));
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
process.stdin.resume();
process.stdin.on('end', () => process.exit());`;

interface ReceiverProcess {
  readonly url: string;
  stop(): void;
}

export async function startReceiverProcess(): Promise<ReceiverProcess> {
  // The child exits when its input closes, also when this process is killed.
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8')));
    child.once('exit', () => reject(new Error('The receiver did not start.')));
  });
  return { url: `http://127.0.0.1:${port}/hook`, stop: () => void child.kill() };
}
