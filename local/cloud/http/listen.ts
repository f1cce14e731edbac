import { createServer, type Server } from 'node:http';
import { CloudError } from '../cloud-error.ts';

/** All servers listen on the loopback address only. */
export const loopback = '127.0.0.1';

/** Listens on the loopback address and returns the port (0 asks for any free one). */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port)));
    server.listen({ host: loopback, port }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new CloudError('The server has no port'));
      else resolve(address.port);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') return new CloudError(`Port ${port} is already in use. Set PORT to another port.`);
  if (error.code === 'EACCES') return new CloudError(`No permission to open port ${port}. Set PORT to another port.`);
  return error;
}

/** Closes a server and all its connections, idle or not. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** A port for a process that cannot choose one. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  await closeServer(server);
  return port;
}
